package dev.tidemark.gateway.sync;

import dev.tidemark.topics.Lsn;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * When it is worth asking again for a position that a partition's watermark has not reached, from
 * how the watermark has moved lately.
 *
 * <pre>
 * stopped                                     -> {@link #MOST_MS}
 * moving, with a rate                         -> bytes left / rate
 * moving, but seen once only; or at rest      -> {@link #USUAL_MS}
 * at rest while somebody waits for a position -> a quarter of the time that it has stood, if longer
 * </pre>
 *
 * The rate is that of one stretch without a rest: a watermark that stands still since there is
 * nothing to apply says nothing about how fast it could go.
 *
 * <p>Not thread-safe. Times are {@link System#nanoTime}, in their order.
 */
final class ApplyRate {

  /** The shortest hint. */
  static final int LEAST_MS = 10;

  /** The hint when nothing was observed: some times the usual road of a change. */
  static final int USUAL_MS = 50;

  /** The longest hint. */
  static final int MOST_MS = 5_000;

  /** A watermark that has not moved for so long rests. */
  private static final long REST = Duration.ofSeconds(1).toNanos();

  /** How far back the rate looks. */
  private static final long WINDOW = Duration.ofSeconds(10).toNanos();

  /** Moves closer to each other count as one. */
  private static final long STEP = Duration.ofMillis(100).toNanos();

  private record Move(long nanos, Lsn lsn) {}

  /** Those of the present stretch, oldest first. */
  private final Deque<Move> moves = new ArrayDeque<>();

  private Move last = new Move(0, Lsn.ZERO);
  private boolean demanded;
  private long demandedAt;

  /** The watermark has come to a position; one before the last begins anew. */
  void moved(long nanos, Lsn lsn) {
    if (!lsn.isAfter(last.lsn()) || nanos - last.nanos() > REST) {
      moves.clear();
    }
    last = new Move(nanos, lsn);
    if (moves.isEmpty() || nanos - moves.getLast().nanos() >= STEP) {
      moves.addLast(last);
    }
    while (moves.size() > 2 && nanos - moves.getFirst().nanos() > WINDOW) {
      moves.removeFirst();
    }
    demanded = false;
  }

  /**
   * The hint for somebody who waits for a position.
   *
   * @param stopped whether the partition is stopped, and so will not move by itself
   * @return {@link #LEAST_MS} to {@link #MOST_MS}
   */
  int retryAfterMs(long nanos, Lsn required, boolean stopped) {
    if (!demanded) {
      demanded = true;
      demandedAt = nanos;
    }
    if (stopped) {
      return MOST_MS;
    }
    if (nanos - last.nanos() > REST || moves.isEmpty()) {
      return clamp(Math.max(USUAL_MS, (nanos - demandedAt) / 4_000_000.0));
    }
    Move first = moves.getFirst();
    double seconds = (last.nanos() - first.nanos()) / 1e9;
    double bytes = last.lsn().bytesSince(first.lsn());
    if (seconds <= 0 || bytes <= 0) {
      return USUAL_MS;
    }
    long left = required.bytesSince(last.lsn());
    // The distance of two positions has 64 bits; what does not fit a long is far away.
    return left < 0 ? MOST_MS : clamp(left / (bytes / seconds) * 1_000);
  }

  private static int clamp(double ms) {
    return (int) Math.ceil(Math.clamp(ms, LEAST_MS, MOST_MS));
  }
}
