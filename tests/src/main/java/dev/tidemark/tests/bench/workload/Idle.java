package dev.tidemark.tests.bench.workload;

import dev.tidemark.tests.bench.system.Contender;
import dev.tidemark.tests.bench.system.SystemKind;
import dev.tidemark.tests.bench.system.TidemarkOptions;
import dev.tidemark.tests.bench.system.TidemarkSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;

/**
 * An installation that nobody uses, with source and replica in one cluster: what it writes into the
 * log that it reads, and what it costs.
 */
final class Idle implements Workload {

  private static final double MEGABYTE = 1e6;

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
    Duration watched = context.scale().idle();
    context.say(this, SystemKind.TIDEMARK, "started, waiting until it has come to rest");
    // Compilers and the first checkpoint go on after the start.
    Thread.sleep(watched);
    Figures figures = new Figures();
    int rounds = Math.min(2, context.scale().rounds());
    for (int round = 1; round <= rounds; round++) {
      Contender.Cpu before = system.cpu();
      long position = position(system);
      long begin = System.nanoTime();
      Thread.sleep(watched);
      double seconds = (System.nanoTime() - begin) / 1e9;
      Contender.Cpu used = system.cpu().since(before);
      double log = (position(system) - position) / seconds * 86_400 / MEGABYTE;
      figures.add("WAL", "MB/day", log);
      figures.add("CPU", "% of a core", used.system() / 1e7 / seconds);
      figures.add("CPU of the databases", "% of a core", used.source() / 1e7 / seconds);
      figures.add("resident memory", "MB", residentMegabytes(system.pid()));
      context.say(
          this,
          SystemKind.TIDEMARK,
          "round %d of %d: %.2f MB WAL a day, %.2f %% of a core",
          round,
          rounds,
          log,
          used.system() / 1e7 / seconds);
    }
    figures.report(context, this, SystemKind.TIDEMARK);
    context.site().stop(system);
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

  private static double residentMegabytes(long pid) throws Exception {
    return Files.readAllLines(Path.of("/proc/" + pid + "/status")).stream()
        .filter(line -> line.startsWith("VmRSS:"))
        .map(line -> line.replaceAll("[^0-9]", ""))
        .mapToDouble(kilobytes -> Double.parseDouble(kilobytes) / 1e3)
        .findFirst()
        .orElse(0);
  }
}
