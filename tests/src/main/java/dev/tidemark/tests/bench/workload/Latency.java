package dev.tidemark.tests.bench.workload;

import dev.tidemark.tests.bench.report.Statistics;
import dev.tidemark.tests.bench.system.Contender;
import dev.tidemark.tests.bench.system.SystemKind;
import dev.tidemark.tests.bench.system.Tuning;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/** From the commit of a document on the source to its commit on the replica, at steady rates. */
final class Latency implements Workload {

  private static final List<Integer> RATES = List.of(20, 100, 500);

  /** Of systems with the settings that they have by themselves. */
  private static final List<Integer> DEFAULTS_RATES = List.of(100);

  private static final int WARM_UP_RATE = 500;
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private static final List<String> TENANTS =
      IntStream.range(0, SourceLoad.TENANTS).mapToObj(i -> "t" + i).toList();

  @Override
  public String name() {
    return "latency";
  }

  @Override
  public void run(Context context) throws Exception {
    for (SystemKind kind : context.systems()) {
      run(context, kind, Tuning.LATENCY, RATES, "");
      if (kind.isTuned()) {
        run(context, kind, Tuning.THROUGHPUT, DEFAULTS_RATES, ", default settings");
      }
    }
  }

  private void run(
      Context context, SystemKind kind, Tuning tuning, List<Integer> rates, String suffix)
      throws Exception {
    Contender system = kind.start(context.site(), tuning);
    context.say(this, kind, "started%s, warming up", suffix);
    round(system, "w", WARM_UP_RATE, context.scale().warmUp());
    Figures figures = new Figures();
    for (int rate : rates) {
      for (int round = 1; round <= context.scale().rounds(); round++) {
        measure(context, kind, system, rate, suffix, round, figures);
      }
    }
    figures.report(context, this, kind);
    context.site().stop(system);
  }

  private void measure(
      Context context,
      SystemKind kind,
      Contender system,
      int rate,
      String suffix,
      int round,
      Figures figures)
      throws Exception {
    SourceLoad.clear(system);
    Contender.Cpu before = system.cpu();
    List<Double> millis = round(system, "r" + round + "-", rate, context.scale().writing());
    Contender.Cpu used = system.cpu().since(before);
    String at = ", " + rate + " writes/s" + suffix;
    Percentiles.of(millis).forEach((name, value) -> figures.add(name + at, "ms", value));
    figures.add("CPU" + at, "us/write", used.total() / 1e3 / millis.size());
    context.say(
        this,
        kind,
        "%d writes/s%s, round %d of %d: p50 %.2f ms, p99 %.2f ms",
        rate,
        suffix,
        round,
        context.scale().rounds(),
        Statistics.percentile(millis, 0.5),
        Statistics.percentile(millis, 0.99));
  }

  private static List<Double> round(Contender system, String prefix, int rate, Duration duration)
      throws Exception {
    int writes = SteadyLoad.write(system, prefix, TENANTS, rate, duration);
    return Arrivals.latencies(system, prefix, writes, LIMIT);
  }
}
