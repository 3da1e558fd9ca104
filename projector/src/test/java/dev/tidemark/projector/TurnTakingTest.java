package dev.tidemark.projector;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TurnTakingTest {

  private static final long LONGEST = TurnTaking.LONGEST.toNanos();

  private final TurnTaking turns = new TurnTaking();

  @Test
  void theTableTopicsWaitWhileTheReplicaCatchesUp() {
    assertThat(turns.waits(false, 0)).isFalse();
    assertThat(turns.waits(true, 1)).isTrue();
    assertThat(turns.waits(true, 2)).isTrue();
    assertThat(turns.waits(false, 3)).isFalse();
    assertThat(turns.waits(true, 4)).describedAs("again, when the replica falls behind").isTrue();
  }

  @Test
  void theyDoNotWaitForEver() {
    assertThat(turns.waits(true, 0)).isTrue();
    assertThat(turns.waits(true, LONGEST - 1)).isTrue();
    assertThat(turns.waits(true, LONGEST)).isFalse();
    assertThat(turns.waits(true, 2 * LONGEST - 1)).describedAs("their turn").isFalse();
    assertThat(turns.waits(true, 2 * LONGEST)).isTrue();
  }

  @Test
  void aReplicaThatHasCaughtUpGoesFirstAgain() {
    turns.waits(true, 0);
    turns.waits(true, LONGEST);
    assertThat(turns.waits(false, LONGEST + 1)).isFalse();
    assertThat(turns.waits(true, LONGEST + 2)).isTrue();
  }
}
