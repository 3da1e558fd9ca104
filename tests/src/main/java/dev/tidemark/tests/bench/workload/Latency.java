package dev.tidemark.tests.bench.workload;

import dev.tidemark.tests.bench.report.Statistics;
import dev.tidemark.tests.bench.system.BareDebezium;
import dev.tidemark.tests.bench.system.Contender;
import dev.tidemark.tests.bench.system.TidemarkSystem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;

/** From the commit of a document on the source to its commit on the replica, at steady rates. */
final class Latency implements Workload {

  private static final List<Integer> RATES = List.of(20, 100, 500);
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private static final List<String> TENANTS =
      IntStream.range(0, SourceLoad.TENANTS).mapToObj(i -> "t" + i).toList();

  @Override
  public String name() {
    return "latency";
  }

  @Override
  public void run(Context context) throws Exception {
    measure(context, () -> TidemarkSystem.start(context.site()));
    measure(context, () -> BareDebezium.start(context.site(), BareDebezium.Tuning.LATENCY));
  }

  private void measure(Context context, Callable<Contender> start) throws Exception {
    Contender system = context.site().start(start);
    SourceLoad.clear(system);
    for (int rate : RATES) {
      round(system, "w", rate, context.scale().warmUp());
      Map<String, List<Double>> figures = new LinkedHashMap<>();
      for (int round = 1; round <= context.scale().rounds(); round++) {
        SourceLoad.clear(system);
        Contender.Cpu before = system.cpu();
        List<Double> millis = round(system, "r" + round + "-", rate, context.scale().writing());
        Contender.Cpu used = system.cpu().since(before);
        Percentiles.of(millis).forEach((name, value) -> add(figures, name, value));
        add(figures, "CPU", used.system() / 1e3 / millis.size());
        context.say(
            this,
            system.name(),
            "%d writes/s, round %d of %d: p50 %.2f ms, p99 %.2f ms",
            rate,
            round,
            context.scale().rounds(),
            Statistics.percentile(millis, 0.5),
            Statistics.percentile(millis, 0.99));
      }
      figures.forEach(
          (name, rounds) ->
              context.add(
                  this,
                  system.name(),
                  name + ", " + rate + " writes/s",
                  name.equals("CPU") ? "us/write" : "ms",
                  rounds));
    }
    context.site().stop(system);
  }

  private static void add(Map<String, List<Double>> figures, String name, double value) {
    figures.computeIfAbsent(name, key -> new ArrayList<>()).add(value);
  }

  private static List<Double> round(Contender system, String prefix, int rate, Duration duration)
      throws Exception {
    int writes = SteadyLoad.write(system, prefix, TENANTS, rate, duration);
    return Arrivals.latencies(system, prefix, writes, LIMIT);
  }
}
