package dev.tidemark.tests.bench.workload;

import dev.tidemark.tests.bench.system.Contender;
import dev.tidemark.tests.bench.system.ProcessMemory;
import dev.tidemark.tests.bench.system.SystemKind;
import dev.tidemark.tests.bench.system.TidemarkOptions;
import dev.tidemark.tests.bench.system.TidemarkSystem;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/**
 * An installation that nobody uses, with source and replica in one cluster: what it writes into the
 * log that it reads, and what it costs. After a checkpoint the first change of each page is logged
 * with the whole page; so a day's log is that of quiet minutes, and those pages once for each
 * checkpoint of the day.
 */
final class Idle implements Workload {

  private static final double MEGABYTE = 1e6;
  private static final double DAY_SECONDS = 86_400;

  /** A day's, as embedded clusters make them. */
  private static final int CHECKPOINTS = 48;

  @Override
  public String name() {
    return "idle";
  }

  @Override
  public void run(Context context) throws Exception {
    if (!context.hasTidemark()) {
      return;
    }
    TidemarkOptions oneCluster =
        new TidemarkOptions(0, TidemarkOptions.DEFAULT.routes(), List.of(), true);
    TidemarkSystem system =
        context.site().start(() -> TidemarkSystem.start(context.site(), oneCluster));
    context.say(this, SystemKind.TIDEMARK, "started, waiting until it has come to rest");
    // Compilers and statistics go on after the start.
    Thread.sleep(context.scale().rest());
    Figures figures = new Figures();
    checkpoint(system);
    double first = watch(context, system, "after a checkpoint", figures);
    double later = watch(context, system, "later", figures);
    double seconds = context.scale().idle().toMillis() / 1e3;
    double pages = Math.max(0, first - later);
    double day = (later / seconds * DAY_SECONDS + pages * CHECKPOINTS) / MEGABYTE;
    figures.add("WAL", "MB/day", day);
    context.say(this, SystemKind.TIDEMARK, "%.2f MB WAL a day", day);
    figures.report(context, this, SystemKind.TIDEMARK);
    context.site().stop(system);
  }

  /** Returns how many bytes of log were written meanwhile. */
  private double watch(Context context, TidemarkSystem system, String when, Figures figures)
      throws Exception {
    Contender.Cpu before = system.cpu();
    long position = position(system);
    long begin = System.nanoTime();
    Thread.sleep(context.scale().idle());
    double seconds = (System.nanoTime() - begin) / 1e9;
    Contender.Cpu used = system.cpu().since(before);
    double log = position(system) - position;
    double cpu = used.system() / 1e7 / seconds;
    figures.add("CPU", "% of a core", cpu);
    figures.add("CPU of the databases", "% of a core", used.source() / 1e7 / seconds);
    figures.add("resident memory", "MB", ProcessMemory.megabytes(system.pid()));
    context.say(
        this, SystemKind.TIDEMARK, "%s: %.0f bytes of WAL, %.2f %% of a core", when, log, cpu);
    return log;
  }

  private static void checkpoint(TidemarkSystem system) throws SQLException {
    try (Connection source = system.source();
        Statement statement = source.createStatement()) {
      statement.execute("checkpoint");
    }
  }

  private static long position(TidemarkSystem system) throws SQLException {
    try (Connection source = system.source();
        Statement statement = source.createStatement();
        ResultSet row =
            statement.executeQuery("select (pg_current_wal_insert_lsn() - '0/0')::bigint")) {
      row.next();
      return row.getLong(1);
    }
  }
}
