package dev.tidemark.tests.bench.report;

import java.util.List;

/** Figures of a sample. */
public final class Statistics {

  private Statistics() {}

  /**
   * The smallest value that at least this share of the sample does not exceed (the nearest rank).
   *
   * @param sample not empty, in any order
   * @param share above 0 and at most 1: 0.5 for the median, 1 for the largest
   * @throws IllegalArgumentException when the sample is empty or the share out of range
   */
  public static double percentile(List<Double> sample, double share) {
    if (sample.isEmpty()) {
      throw new IllegalArgumentException("an empty sample has no percentile");
    }
    if (!(share > 0 && share <= 1)) {
      throw new IllegalArgumentException("a share is above 0 and at most 1, not " + share);
    }
    List<Double> sorted = sample.stream().sorted().toList();
    return sorted.get((int) Math.ceil(share * sorted.size()) - 1);
  }

  /**
   * The middle value, or the mean of the two in the middle.
   *
   * @param values not empty, in any order
   */
  public static double median(List<Double> values) {
    if (values.isEmpty()) {
      throw new IllegalArgumentException("no values, no median");
    }
    List<Double> sorted = values.stream().sorted().toList();
    int middle = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(middle)
        : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
  }
}
