package dev.tidemark.tests.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.tidemark.projector.replica.PartitionProjector;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;

/**
 * Invariants 2 to 5 in random schedules. A failure names the seed, which repeats it; every mutant
 * of the world is found within the same schedules.
 */
class SimulationTest {

  private static final int SCHEDULES = 100_000;
  private static final int STEPS = 160;

  @BeforeAll
  static void holesAreNoNews() {
    ((Logger) LoggerFactory.getLogger(PartitionProjector.class)).setLevel(Level.ERROR);
  }

  private static long run(Mutant mutant, int schedules) {
    long watermarks = 0;
    for (int seed = 0; seed < schedules; seed++) {
      try {
        watermarks += new Schedule(mutant, seed).run(STEPS).watermarks();
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
      }
    }
    return watermarks;
  }

  @Test
  void theInvariantsHoldInEveryStepOfEverySchedule() {
    assertThat(run(Mutant.NONE, SCHEDULES)).isPositive();
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void everyMutantIsFound(Mutant mutant) {
    assertThatThrownBy(() -> run(mutant, SCHEDULES)).isInstanceOf(AssertionError.class);
  }
}
