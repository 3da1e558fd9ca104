package dev.tidemark.tests.bench.workload;

import dev.tidemark.tests.bench.system.SystemKind;
import java.time.Duration;

/**
 * How much is done.
 *
 * @param name as the results tell it
 * @param rounds that count, of each measurement
 * @param longRounds the same, of measurements that take long
 * @param writing how long each round of a steady load takes
 * @param warmUp the same, before the first round
 * @param drainedRows changes that wait in the slot
 * @param slowDrainedRows the same for the slow peers, whose rate does not depend on it
 * @param warmDrained the same, before the first round
 * @param snapshotRows rows that are on the source before a system is
 * @param requests of each kind in a round, to the gateway
 * @param rest how long an installation is left alone before it counts as idle
 * @param idle how long an idle installation is watched
 * @param scaledRows changes for each point of a scale
 */
public record Scale(
    String name,
    int rounds,
    int longRounds,
    Duration writing,
    Duration warmUp,
    int drainedRows,
    int slowDrainedRows,
    int warmDrained,
    int snapshotRows,
    int requests,
    Duration rest,
    Duration idle,
    int scaledRows) {

  private static final int SLOW_SHARE = 5;

  /** What the results in the documentation were measured with. */
  public static final Scale FULL =
      new Scale(
          "full",
          3,
          2,
          Duration.ofSeconds(10),
          Duration.ofSeconds(30),
          500_000,
          100_000,
          50_000,
          1_000_000,
          200_000,
          Duration.ofMinutes(5),
          Duration.ofMinutes(2),
          50_000);

  /** To see that everything works; its figures say little. */
  public static final Scale QUICK =
      new Scale(
          "quick",
          1,
          1,
          Duration.ofMillis(500),
          Duration.ofMillis(200),
          2_000,
          500,
          500,
          2_000,
          400,
          Duration.ofSeconds(1),
          Duration.ofSeconds(1),
          500);

  /** The same with another number of rounds. */
  public Scale withRounds(int other) {
    return new Scale(
        name,
        other,
        other,
        writing,
        warmUp,
        drainedRows,
        slowDrainedRows,
        warmDrained,
        snapshotRows,
        requests,
        rest,
        idle,
        scaledRows);
  }

  int drained(SystemKind system) {
    return system.slow() ? slowDrainedRows : drainedRows;
  }

  /** One for those that no goal compares Tidemark's rate with, and for the slow ones. */
  int drainRounds(SystemKind system) {
    return system == SystemKind.TIDEMARK || system == SystemKind.DEBEZIUM ? longRounds : 1;
  }

  int snapshotRows(SystemKind system) {
    return system.slow() ? snapshotRows / SLOW_SHARE : snapshotRows;
  }

  /** One: each round starts a system anew, and reads for long. */
  int snapshotRounds() {
    return 1;
  }
}
