package dev.tidemark.capture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.topics.Lsn;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class BeaconPolicyTest {

  private static final long TICK = Duration.ofMillis(10).toNanos();

  private long now = 1_000_000_000L;
  private final BeaconPolicy policy = new BeaconPolicy(now);

  /** Ticks until a beacon is due, for at most two minutes; gives how long that took. */
  private Duration untilDue(Lsn insert, Lsn published) {
    long began = now;
    while (!policy.due(now, insert, published)) {
      now += TICK;
      assertThat(Duration.ofNanos(now - began)).isLessThan(Duration.ofMinutes(2));
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

  /** Beacons without transactions between them, each of which moves the log by so many bytes. */
  private Duration longestOf(int beacons, long echoBytes) {
    long position = 100;
    Duration longest = Duration.ZERO;
    for (int i = 0; i < beacons; i++) {
      longest = untilDue(new Lsn(position + echoBytes), new Lsn(position));
      policy.emitted(now, new Lsn(position), false);
      position += echoBytes + 1;
    }
    return longest;
  }

  @Test
  void beaconsThatOnlyAnswerEachOtherComeMoreAndMoreSeldomButNeverStop() {
    assertThat(longestOf(30, 1))
        .isBetween(BeaconPolicy.LONGEST.minusMillis(20), BeaconPolicy.LONGEST.plusMillis(20));
  }

  @Test
  void aLogThatMovesByMoreThanAnEchoIsToldSooner() {
    assertThat(longestOf(30, BeaconPolicy.ECHO_BYTES + 1))
        .isBetween(BeaconPolicy.BUSY.minusMillis(20), BeaconPolicy.BUSY.plusMillis(20));
  }

  @Test
  void aTransactionEndsTheGrowth() {
    longestOf(30, 1);
    policy.emitted(now, new Lsn(200), true);

    assertThat(untilDue(new Lsn(220), new Lsn(210))).isLessThanOrEqualTo(BeaconPolicy.SHORTEST);
  }

  @Test
  void aLogThatStandsStillIsLookedAtSeldom() {
    policy.due(now, new Lsn(100), new Lsn(100));
    assertThat(policy.pause(now)).isEqualTo(BeaconPolicy.QUICK);
    now += BeaconPolicy.STILL.toNanos();
    policy.due(now, new Lsn(100), new Lsn(100));
    assertThat(policy.pause(now)).isEqualTo(BeaconPolicy.SLOW);
    policy.due(now, new Lsn(101), new Lsn(100));
    assertThat(policy.pause(now)).isEqualTo(BeaconPolicy.QUICK);
  }

  @Test
  void whileTransactionsFlowBeaconsStayClose() {
    long position = 100;
    for (int i = 0; i < 30; i++) {
      assertThat(untilDue(new Lsn(position + 1), new Lsn(position)))
          .isLessThanOrEqualTo(BeaconPolicy.BUSY);
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
