package dev.tidemark.tests.bench.workload;

import dev.tidemark.tests.bench.system.SystemKind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The figures of one system while its rounds go on. For one thread. */
final class Figures {

  private record Metric(String name, String unit) {}

  private final Map<Metric, List<Double>> rounds = new LinkedHashMap<>();

  /** Adds a round's value. */
  void add(String metric, String unit, double value) {
    rounds.computeIfAbsent(new Metric(metric, unit), key -> new ArrayList<>()).add(value);
  }

  /** Makes results of them. */
  void report(Context context, Workload workload, SystemKind system) {
    rounds.forEach(
        (metric, values) -> context.add(workload, system, metric.name(), metric.unit(), values));
  }
}
