package dev.tidemark.gateway.sync;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;

/** How many changes the projectors apply a second, over the last five seconds. Thread-safe. */
public final class EventRate {

  private static final long WINDOW_NANOS = Duration.ofSeconds(5).toNanos();

  private final ArrayDeque<Sample> samples = new ArrayDeque<>();

  private record Sample(long nanos, long events) {}

  /**
   * Takes what the watermark table says.
   *
   * @param nanos when, on a clock that only goes forward
   */
  public synchronized void saw(long nanos, List<PartitionState> states) {
    long events = states.stream().mapToLong(PartitionState::events).sum();
    if (!samples.isEmpty() && events < samples.getLast().events()) {
      // The table was made anew: what was counted before says nothing about it.
      samples.clear();
    }
    samples.addLast(new Sample(nanos, events));
    while (samples.size() > 2 && nanos - samples.getFirst().nanos() > WINDOW_NANOS) {
      samples.removeFirst();
    }
  }

  /** The rate, to a tenth; empty when there are no two samples, or the last is too old. */
  public synchronized Optional<Double> perSecond(long nanos) {
    if (samples.size() < 2 || nanos - samples.getLast().nanos() > WINDOW_NANOS) {
      return Optional.empty();
    }
    Sample first = samples.getFirst();
    Sample last = samples.getLast();
    double seconds = (last.nanos() - first.nanos()) / 1e9;
    return seconds <= 0
        ? Optional.empty()
        : Optional.of(Math.round((last.events() - first.events()) / seconds * 10) / 10.0);
  }
}
