package dev.tidemark.tests.bench.workload;

import dev.tidemark.tests.bench.report.Statistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/** The figures that a latency is told by. */
final class Percentiles {

  private Percentiles() {}

  static SequencedMap<String, Double> of(List<Double> sample) {
    SequencedMap<String, Double> figures = new LinkedHashMap<>();
    figures.put("p50", Statistics.percentile(sample, 0.5));
    figures.put("p90", Statistics.percentile(sample, 0.9));
    figures.put("p99", Statistics.percentile(sample, 0.99));
    figures.put("max", Statistics.percentile(sample, 1));
    return figures;
  }
}
