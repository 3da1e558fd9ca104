package dev.tidemark.tests.bench.report;

import java.util.List;

/**
 * One figure of one system.
 *
 * @param workload the workload's name, as {@code --only} takes it
 * @param system who was measured
 * @param metric what, unique within the workload
 * @param unit of the value
 * @param value the median of the rounds
 * @param rounds one value for each round, in their order; at least one
 */
public record Result(
    String workload, String system, String metric, String unit, double value, List<Double> rounds) {

  public Result {
    rounds = List.copyOf(rounds);
  }

  /** Takes the median of the rounds as the value. */
  public static Result of(
      String workload, String system, String metric, String unit, List<Double> rounds) {
    return new Result(workload, system, metric, unit, Statistics.median(rounds), rounds);
  }
}
