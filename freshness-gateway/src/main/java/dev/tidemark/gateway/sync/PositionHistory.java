package dev.tidemark.gateway.sync;

import dev.tidemark.topics.Lsn;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Positions of the source's log by the time they were asked for: each lies behind everything that
 * was committed before that time. Kept for a little longer than any read may ask back: the last
 * minute some hundredths of a second apart, what is older about a second. Leaving one out is safe,
 * since the next one lies behind more.
 *
 * <p>Not thread-safe. Times are {@link System#nanoTime}; one that is earlier than the last is left
 * out.
 */
final class PositionHistory {

  private static final long KEPT = MaxStaleness.MOST.plusMinutes(1).toNanos();
  private static final long FINE = Duration.ofMinutes(1).toNanos();
  private static final long FINE_STEP = Duration.ofMillis(20).toNanos();
  private static final long COARSE_STEP = Duration.ofSeconds(1).toNanos();

  /** {@code nanoTime} has no zero of its own, and may overflow. */
  private final long base = System.nanoTime();

  private final TreeMap<Long, Lsn> samples = new TreeMap<>();

  /** Up to this key what is left is a second apart. */
  private long thinned = Long.MIN_VALUE;

  /** Takes a position; its time is when it was asked for, not when it came. */
  void add(long nanos, Lsn lsn) {
    long key = nanos - base;
    if (!samples.isEmpty()) {
      long last = samples.lastKey();
      if (key < last) {
        return;
      }
      // The youngest is always kept: without it the source would be asked again.
      Long before = samples.lowerKey(last);
      if (before != null && key - before < FINE_STEP) {
        samples.remove(last);
      }
    }
    samples.put(key, lsn);
    thin(key);
  }

  private void thin(long now) {
    for (Long next = samples.higherKey(thinned);
        next != null && now - next > FINE;
        next = samples.higherKey(thinned)) {
      if (thinned != Long.MIN_VALUE && next - thinned < COARSE_STEP) {
        samples.remove(next);
      } else {
        thinned = next;
      }
    }
    while (now - samples.firstKey() > KEPT) {
      samples.pollFirstEntry();
    }
  }

  /** The oldest position that was asked for at the time or later. */
  Optional<Lsn> notBefore(long nanos) {
    return Optional.ofNullable(samples.ceilingEntry(nanos - base)).map(Map.Entry::getValue);
  }

  /** How many are kept. */
  int size() {
    return samples.size();
  }

  void clear() {
    samples.clear();
    thinned = Long.MIN_VALUE;
  }
}
