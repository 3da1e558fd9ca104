package dev.tidemark.tests.bench.workload;

import dev.tidemark.tests.bench.report.Statistics;
import dev.tidemark.tests.bench.system.BenchException;
import dev.tidemark.tests.bench.system.Contender;
import dev.tidemark.tests.bench.system.SystemKind;
import dev.tidemark.tests.bench.system.Tuning;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;

/**
 * Commit to visible for a quiet tenant, with 100 writes/s, while another tenant loads rows in
 * transactions of 100: at a steady 5,000 rows/s, and as fast as the source takes them. The two
 * tenants are in different partitions of Tidemark's log.
 */
final class Isolation implements Workload {

  private static final int RATE = 100;
  private static final int TRANSACTION = 100;
  private static final int PACED_ROWS = 5_000;
  private static final int UNPACED = Integer.MAX_VALUE;
  private static final Duration LIMIT = Duration.ofMinutes(10);

  /** In partitions 2 and 3 of four. */
  private static final List<String> QUIET = List.of("t0");

  private static final String LOUD = "t1";

  @Override
  public String name() {
    return "isolation";
  }

  @Override
  public void run(Context context) throws Exception {
    for (SystemKind kind : context.systems()) {
      Contender system = kind.start(context.site(), Tuning.LATENCY);
      Duration warmUp = context.scale().warmUp();
      int warmRows = Math.toIntExact(PACED_ROWS * warmUp.toMillis() / 1000);
      measure(system, "w", warmRows, PACED_ROWS, warmUp);
      Figures figures = new Figures();
      Duration paced = context.scale().writing();
      int pacedRows = Math.toIntExact(PACED_ROWS * paced.toMillis() / 1000);
      for (int round = 1; round <= context.scale().longRounds(); round++) {
        SourceLoad.clear(system);
        add(
            context,
            kind,
            figures,
            "beside 5,000 rows/s",
            measure(system, "p" + round + "-", pacedRows, PACED_ROWS, paced));
      }
      SourceLoad.clear(system);
      int rows = context.scale().drained(kind);
      add(
          context,
          kind,
          figures,
          "beside " + rows + " rows at once",
          measure(system, "u", rows, UNPACED, paced));
      figures.report(context, this, kind);
      context.site().stop(system);
    }
  }

  private void add(
      Context context, SystemKind kind, Figures figures, String load, List<Double> millis) {
    Percentiles.of(millis).forEach((name, value) -> figures.add(name + " " + load, "ms", value));
    context.say(
        this,
        kind,
        "%s: p50 %.2f ms, p99 %.2f ms",
        load,
        Statistics.percentile(millis, 0.5),
        Statistics.percentile(millis, 0.99));
  }

  private static List<Double> measure(
      Contender system, String prefix, int rows, int perSecond, Duration duration)
      throws Exception {
    try (ExecutorService thread = Executors.newSingleThreadExecutor()) {
      Future<?> load =
          thread.submit(
              () -> {
                load(system, "x" + prefix, rows, perSecond);
                return 0;
              });
      int writes = SteadyLoad.write(system, prefix, QUIET, RATE, duration);
      load.get();
      List<Double> millis = Arrivals.latencies(system, prefix, writes, LIMIT);
      Arrivals.await(system, "x" + prefix + (rows - 1), 1, LIMIT);
      return millis;
    } catch (ExecutionException e) {
      throw new BenchException("the load failed", e.getCause());
    }
  }

  private static void load(Contender system, String prefix, int rows, int perSecond)
      throws Exception {
    try (Connection source = system.source();
        Statement statement = source.createStatement()) {
      long begin = System.nanoTime();
      for (int first = 0; first < rows; first += TRANSACTION) {
        if (perSecond != UNPACED) {
          LockSupport.parkNanos(begin + first * 1_000_000_000L / perSecond - System.nanoTime());
        }
        statement.execute(
            SourceLoad.insert(
                "'" + LOUD + "'",
                prefix,
                "generate_series("
                    + first
                    + ", "
                    + (Math.min(first + TRANSACTION, rows) - 1)
                    + ") i"));
      }
    }
  }
}
