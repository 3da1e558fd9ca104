package dev.tidemark.gateway.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.topics.Lsn;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PositionHistoryTest {

  private static final long MS = 1_000_000;
  private static final long SECOND = 1_000 * MS;

  private final long start = System.nanoTime();
  private final PositionHistory history = new PositionHistory();

  @Test
  void knowsNothingAtFirstAndNothingOfLaterTimes() {
    assertThat(history.notBefore(start)).isEmpty();
    history.add(start, new Lsn(7));
    assertThat(history.notBefore(start + 1)).isEmpty();
    assertThat(history.notBefore(start)).contains(new Lsn(7));
  }

  @Test
  void givesTheLowestPositionThatLiesBehindTheTime() {
    history.add(start, new Lsn(1));
    history.add(start + 100 * MS, new Lsn(2));
    history.add(start + 200 * MS, new Lsn(3));

    assertThat(history.notBefore(start - SECOND)).contains(new Lsn(1));
    assertThat(history.notBefore(start + 1)).contains(new Lsn(2));
    assertThat(history.notBefore(start + 100 * MS)).contains(new Lsn(2));
    assertThat(history.notBefore(start + 101 * MS)).contains(new Lsn(3));
  }

  @Test
  void leavesOutWhatWasAskedEarlierThanTheLast() {
    history.add(start + 100 * MS, new Lsn(2));
    history.add(start, new Lsn(1));

    assertThat(history.notBefore(start)).contains(new Lsn(2));
  }

  @Test
  void alwaysHasTheYoungestHoweverDenseTheyCome() {
    for (int i = 0; i < 1_000; i++) {
      history.add(start + i * MS, new Lsn(i));
      assertThat(history.notBefore(start + i * MS)).contains(new Lsn(i));
    }
    assertThat(history.size()).isLessThan(110);
  }

  @Test
  void neverGivesAPositionFromBeforeTheTimeWhateverItLeavesOut() {
    Random random = new Random(6);
    long at = start;
    long end = start + 2 * 3_600 * SECOND;
    while (at < end) {
      at += random.nextLong(1, 2 * SECOND);
      history.add(at, new Lsn(at - start));
      long asked = at - random.nextLong(0, 3_600 * SECOND);
      long found = history.notBefore(asked).orElseThrow().value();
      assertThat(found).isGreaterThanOrEqualTo(asked - start);
      // A second apart, and samples that come up to two seconds apart.
      assertThat(found - Math.max(asked - start, 0)).isLessThan(5 * SECOND);
    }
    assertThat(history.size()).isLessThan(3_900);
  }

  @Test
  void forgetsAll() {
    history.add(start, new Lsn(7));
    history.clear();

    assertThat(history.notBefore(start)).isEmpty();
  }
}
