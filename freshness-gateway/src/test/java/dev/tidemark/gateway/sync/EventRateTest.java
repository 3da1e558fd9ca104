package dev.tidemark.gateway.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.topics.Lsn;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class EventRateTest {

  private final EventRate rate = new EventRate();

  @Test
  void isNotKnownBeforeTheSecondSample() {
    assertThat(rate.perSecond(0)).isEmpty();

    saw(0, 7);

    assertThat(rate.perSecond(0)).isEmpty();
  }

  @Test
  void countsWhatAllPartitionsApplied() {
    saw(0, 100, 0);
    saw(2_000, 103, 2);

    assertThat(rate.perSecond(nanos(2_000))).contains(2.5);
  }

  @Test
  void forgetsWhatIsOlderThanTheWindow() {
    saw(0, 0);
    saw(1_000, 1_000);
    for (int second = 2; second <= 7; second++) {
      saw(second * 1_000L, 1_000);
    }

    assertThat(rate.perSecond(nanos(7_000))).contains(0.0);
  }

  @Test
  void isNotKnownWhenNothingHasBeenReadForLong() {
    saw(0, 0);
    saw(1_000, 10);

    assertThat(rate.perSecond(nanos(20_000))).isEmpty();
  }

  @Test
  void beginsAnewWhenTheCountGoesBack() {
    saw(0, 5_000);
    saw(1_000, 10);

    assertThat(rate.perSecond(nanos(1_000))).isEmpty();

    saw(2_000, 20);

    assertThat(rate.perSecond(nanos(2_000))).contains(10.0);
  }

  private void saw(long ms, long... events) {
    rate.saw(
        nanos(ms),
        IntStream.range(0, events.length)
            .mapToObj(partition -> state(partition, events[partition]))
            .toList());
  }

  private static long nanos(long ms) {
    return Duration.ofMillis(ms).toNanos();
  }

  static PartitionState state(int partition, long events) {
    return new PartitionState(
        partition, 1, "h", Lsn.ZERO, events, null, null, "", true, null, null, 0, 0);
  }
}
