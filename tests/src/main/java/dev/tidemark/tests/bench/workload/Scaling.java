package dev.tidemark.tests.bench.workload;

import dev.tidemark.tests.bench.system.BenchException;
import dev.tidemark.tests.bench.system.Contender;
import dev.tidemark.tests.bench.system.SystemKind;
import dev.tidemark.tests.bench.system.TidemarkOptions;
import dev.tidemark.tests.bench.system.TidemarkSystem;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * What a change costs Tidemark against the width of rows, the number of tables, of tenants and of
 * partitions: a backlog of transactions of 100 rows each time, with one thing different from rows
 * of 100 bytes of 20 tenants in one table and 4 partitions.
 */
final class Scaling implements Workload {

  private static final Duration LIMIT = Duration.ofMinutes(5);
  private static final int TABLES = 100;
  private static final int DEFAULT_PARTITIONS = 4;

  /** A start is followed by so many times the rows of a point, for the compilers. */
  private static final int WARM_UP = 6;

  /** What is loaded: bytes of a row's text, tables in turn, tenants in turn. */
  private record Point(String text, int width, int tables, int tenants) {}

  private static final Point USUAL = new Point("rows of 100 bytes", 100, 1, 20);

  private static final List<Point> POINTS =
      List.of(
          USUAL,
          new Point("rows of 1,000 bytes", 1_000, 1, 20),
          new Point("rows of 10,000 bytes", 10_000, 1, 20),
          new Point("10 tables", 100, 10, 20),
          new Point("100 tables", 100, TABLES, 20),
          new Point("1 tenant", 100, 1, 1),
          new Point("1,000 tenants", 100, 1, 1_000),
          new Point("100,000 tenants", 100, 1, 100_000));

  private static final List<Integer> PARTITIONS = List.of(1, 16, 64);

  @Override
  public String name() {
    return "scaling";
  }

  @Override
  public void run(Context context) throws Exception {
    if (!context.hasTidemark()) {
      return;
    }
    measure(context, DEFAULT_PARTITIONS, TABLES, POINTS);
    for (int partitions : PARTITIONS) {
      String text = partitions + (partitions == 1 ? " partition" : " partitions");
      measure(context, partitions, 1, List.of(new Point(text, 100, 1, 1_000)));
    }
  }

  private void measure(Context context, int partitions, int tables, List<Point> points)
      throws Exception {
    TidemarkOptions options =
        new TidemarkOptions(
            0,
            Optional.of(routes(partitions, tables)),
            IntStream.range(0, tables).mapToObj(Scaling::create).toList(),
            false);
    TidemarkSystem system =
        context.site().start(() -> TidemarkSystem.start(context.site(), options));
    int rows = context.scale().scaledRows();
    Figures figures = new Figures();
    try (Connection replica = system.replica()) {
      measure(system, replica, USUAL, 0, WARM_UP * rows, new Figures());
      int number = 1;
      for (Point point : points) {
        double cost = measure(system, replica, point, number, rows, figures);
        context.say(this, SystemKind.TIDEMARK, "%s: %.1f us CPU/change", point.text(), cost);
        number++;
      }
    }
    figures.report(context, this, SystemKind.TIDEMARK);
    context.site().stop(system);
  }

  private static String create(int table) {
    return "create table bench_"
        + table
        + " (tenant_id text, id bigint, body text, primary key (tenant_id, id))";
  }

  private static String routes(int partitions, int tables) {
    return "pipeline: bench\nslot: bench\npublication: bench\npartitions: "
        + partitions
        + "\nroutes:\n"
        + IntStream.range(0, tables)
            .mapToObj(
                table ->
                    """
                      - table: public.bench_%1$d
                        tenant: tenant_id
                        target: replica_%1$d
                        columns: [ { name: id, from: id }, { name: body, from: body } ]
                    """
                        .formatted(table))
            .collect(Collectors.joining());
  }

  /** Returns the CPU time of all for each change, in microseconds. */
  private static double measure(
      TidemarkSystem system, Connection replica, Point point, int number, int rows, Figures figures)
      throws Exception {
    long first = number * 1_000_000_000L;
    system.pause();
    fill(system, point, first, rows);
    Contender.Cpu before = system.cpu();
    long commits = commits(replica);
    long begin = System.nanoTime();
    system.resume();
    await(replica, point, first, rows);
    double seconds = (System.nanoTime() - begin) / 1e9;
    Contender.Cpu used = system.cpu().since(before);
    double cost = used.total() / 1e3 / rows;
    figures.add(point.text(), "changes/s", rows / seconds);
    figures.add(point.text() + ", CPU", "us/change", cost);
    figures.add(point.text() + ", replica", "commits/s", (commits(replica) - commits) / seconds);
    return cost;
  }

  private static void fill(TidemarkSystem system, Point point, long first, int rows)
      throws SQLException {
    try (Connection source = system.source();
        Statement statement = source.createStatement()) {
      statement.execute("set synchronous_commit = off");
      statement.execute(
          """
          do $$ begin
            for start in 0 .. %1$d by 100 loop
              execute format('insert into bench_%%s select ''t'' || mod(i, %2$d), %3$d + i, rpad(i::text, %4$d, ''x'')'
                ' from generate_series(%%s, %%s) i', mod(start / 100, %5$d), start, least(start + 99, %1$d));
              commit;
            end loop;
          end $$"""
              .formatted(rows - 1, point.tenants(), first, point.width(), point.tables()));
      statement.execute("set synchronous_commit = on");
      statement.execute("create temp table last_commit (i int)");
    }
  }

  private static void await(Connection replica, Point point, long first, int rows)
      throws SQLException, InterruptedException {
    String counts =
        IntStream.range(0, point.tables())
            .mapToObj(
                table -> "(select count(*) from replica_" + table + " where id >= " + first + ")")
            .collect(Collectors.joining(" + "));
    long deadline = System.nanoTime() + LIMIT.toNanos();
    try (Statement statement = replica.createStatement()) {
      while (true) {
        long asked = System.nanoTime();
        long count = number(statement, "select " + counts);
        if (count == rows) {
          return;
        }
        if (asked - deadline > 0) {
          throw new BenchException(
              "%d of %d rows with %s have come within %s"
                  .formatted(count, rows, point.text(), LIMIT));
        }
        Thread.sleep(Duration.ofNanos(10 * (System.nanoTime() - asked)));
      }
    }
  }

  private static long commits(Connection replica) throws SQLException, InterruptedException {
    // Backends tell what they have committed once a second at most.
    Thread.sleep(Duration.ofMillis(1_100));
    try (Statement statement = replica.createStatement()) {
      return number(
          statement, "select xact_commit from pg_stat_database where datname = current_database()");
    }
  }

  private static long number(Statement statement, String query) throws SQLException {
    try (ResultSet row = statement.executeQuery(query)) {
      row.next();
      return row.getLong(1);
    }
  }
}
