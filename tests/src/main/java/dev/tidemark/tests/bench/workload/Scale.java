package dev.tidemark.tests.bench.workload;

import java.time.Duration;

/**
 * How much is done.
 *
 * @param rounds that count, of each measurement
 * @param writing how long each round of a steady load takes
 * @param warmUp the same, before the first round
 * @param drained changes that wait in the slot
 * @param warmDrained the same, before the first round
 */
public record Scale(int rounds, Duration writing, Duration warmUp, int drained, int warmDrained) {

  /** What the results in the documentation were measured with. */
  public static final Scale FULL =
      new Scale(3, Duration.ofSeconds(6), Duration.ofSeconds(3), 500_000, 50_000);

  /** To see that everything works; its figures say little. */
  public static final Scale QUICK =
      new Scale(1, Duration.ofMillis(500), Duration.ofMillis(200), 2_000, 500);

  /** The same with another number of rounds. */
  public Scale withRounds(int other) {
    return new Scale(other, writing, warmUp, drained, warmDrained);
  }
}
