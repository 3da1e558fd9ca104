package dev.tidemark.gateway.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.topics.Lsn;
import org.junit.jupiter.api.Test;

class ApplyRateTest {

  private static final long MS = 1_000_000;

  private final ApplyRate rate = new ApplyRate();
  private long now = System.nanoTime();

  /** Steps of a tenth of a second. */
  private void moves(long from, long bytes, int times) {
    for (int i = 1; i <= times; i++) {
      now += 100 * MS;
      rate.moved(now, new Lsn(from + i * bytes));
    }
  }

  private int hint(long required) {
    return rate.retryAfterMs(now, new Lsn(required), false);
  }

  @Test
  void isUsualWhenNothingWasObserved() {
    assertThat(hint(1_000_000)).isEqualTo(ApplyRate.USUAL_MS);
  }

  @Test
  void isUsualAfterTheFirstMove() {
    moves(0, 1_000, 1);
    assertThat(hint(1_000_000)).isEqualTo(ApplyRate.USUAL_MS);
  }

  @Test
  void isTheTimeThatTheRestTakesAtTheRateOfTheLastSeconds() {
    moves(0, 100_000, 20); // 1 MB/s
    assertThat(hint(2_000_000 + 700_000)).isEqualTo(700);
    assertThat(hint(2_000_000 + 70_000)).isEqualTo(70);
  }

  @Test
  void followsARateThatChanges() {
    moves(0, 100_000, 50);
    moves(5_000_000, 10_000, 200); // 100 kB/s for twenty seconds
    assertThat(hint(7_000_000 + 100_000)).isBetween(990, 1_010);
  }

  @Test
  void staysBetweenTheLeastAndTheMost() {
    moves(0, 1_000_000, 20);
    assertThat(hint(20_000_001)).isEqualTo(ApplyRate.LEAST_MS);
    assertThat(hint(Long.MAX_VALUE)).isEqualTo(ApplyRate.MOST_MS);
    assertThat(hint(1)).isEqualTo(ApplyRate.LEAST_MS);
    assertThat(hint(-1)).isEqualTo(ApplyRate.MOST_MS);
  }

  @Test
  void aRestBetweenTwoWritesIsNoRate() {
    moves(0, 1_000, 1);
    now += 30_000 * MS;
    moves(1_000, 1_000, 1);
    now += 30_000 * MS;
    assertThat(hint(3_000)).isEqualTo(ApplyRate.USUAL_MS);
  }

  @Test
  void growsWhileTheWatermarkStandsStillInSpiteOfADemand() {
    moves(0, 1_000, 5);
    now += 2_000 * MS;
    assertThat(hint(9_000)).isEqualTo(ApplyRate.USUAL_MS);
    now += 1_000 * MS;
    assertThat(hint(9_000)).isEqualTo(250);
    now += 9_000 * MS;
    assertThat(hint(9_000)).isEqualTo(2_500);
    now += 90_000 * MS;
    assertThat(hint(9_000)).isEqualTo(ApplyRate.MOST_MS);
    moves(5_000, 1_000, 1);
    assertThat(hint(9_000)).isEqualTo(ApplyRate.USUAL_MS);
  }

  @Test
  void isTheMostOnAStoppedPartition() {
    moves(0, 1_000_000, 20);
    assertThat(rate.retryAfterMs(now, new Lsn(20_000_001), true)).isEqualTo(ApplyRate.MOST_MS);
  }

  @Test
  void beginsAnewWhenTheWatermarkGoesBack() {
    moves(50_000_000, 1_000_000, 20);
    moves(0, 1_000, 1);
    assertThat(hint(1_000_000)).isEqualTo(ApplyRate.USUAL_MS);
    moves(1_000, 1_000, 10); // 10 kB/s
    assertThat(hint(21_000)).isEqualTo(1_000);
  }
}
