package dev.tidemark.capture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.topics.Lsn;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class BeaconPolicyTest {

  private static final long TICK = Duration.ofMillis(10).toNanos();

  private long now = 1_000_000_000L;
  private final BeaconPolicy policy = new BeaconPolicy(now);

  /** Ticks until a beacon is due, for at most ten seconds; gives how long that took. */
  private Duration untilDue(Lsn insert, Lsn published) {
    long began = now;
    while (!policy.due(now, insert, published)) {
      now += TICK;
      assertThat(Duration.ofNanos(now - began)).isLessThan(Duration.ofSeconds(10));
    }
    return Duration.ofNanos(now - began);
  }

  @Test
  void aQuietSourceNeedsNoBeacon() {
    for (int i = 0; i < 1_000; i++) {
      now += TICK;
      assertThat(policy.due(now, new Lsn(100), new Lsn(100))).isFalse();
    }
  }

  @Test
  void theFirstMoveAfterAQuietTimeIsAnsweredAtOnce() {
    for (int i = 0; i < 50; i++) {
      now += TICK;
      policy.due(now, new Lsn(100), new Lsn(100));
    }
    assertThat(untilDue(new Lsn(120), new Lsn(100))).isLessThanOrEqualTo(BeaconPolicy.SHORTEST);
  }

  @Test
  void beaconsThatOnlyAnswerEachOtherComeMoreAndMoreSeldomButNeverStop() {
    long position = 100;
    Duration longest = Duration.ZERO;
    for (int i = 0; i < 30; i++) {
      longest = untilDue(new Lsn(position + 1), new Lsn(position));
      policy.emitted(now, new Lsn(position), false);
      position += 2;
    }
    assertThat(longest)
        .isBetween(BeaconPolicy.LONGEST.minusMillis(20), BeaconPolicy.LONGEST.plusMillis(20));
  }

  @Test
  void whileTransactionsFlowBeaconsStayClose() {
    long position = 100;
    for (int i = 0; i < 30; i++) {
      assertThat(untilDue(new Lsn(position + 1), new Lsn(position)))
          .isLessThanOrEqualTo(BeaconPolicy.LONGEST);
      policy.emitted(now, new Lsn(position), true);
      position += 2;
    }
    assertThat(untilDue(new Lsn(position + 1), new Lsn(position)))
        .isLessThanOrEqualTo(BeaconPolicy.SHORTEST.plusMillis(10));
  }

  @Test
  void aBeaconThatDoesNotComeBackIsWrittenAgainAfterAWhile() {
    untilDue(new Lsn(120), new Lsn(100));
    policy.emitted(now, new Lsn(100), false);
    assertThat(untilDue(new Lsn(140), new Lsn(100)))
        .isGreaterThanOrEqualTo(BeaconPolicy.LOST.minusMillis(10));
  }
}
