package dev.tidemark.capture;

import dev.tidemark.topics.Lsn;
import java.time.Duration;

/**
 * When to write a beacon into the source's log. Pure: the caller brings the time.
 *
 * <p>A beacon is due when the log has moved beyond the last position that was published. In a
 * cluster that also holds the replica every beacon moves the log by itself, since the projector
 * commits the new watermark there; so beacons that follow each other without a quiet time and
 * without a transaction between them come at growing distances, up to {@link #LONGEST}, or up to
 * {@link #BUSY} where the log moves by more than such an echo. That bounds how long a position can
 * stay unpublished that no reader asks for; for one that is asked for the gateway writes a message
 * itself.
 */
final class BeaconPolicy {

  /** Between two beacons while transactions flow. */
  static final Duration SHORTEST = Duration.ofMillis(250);

  /** Between two beacons that only answer each other. */
  static final Duration LONGEST = Duration.ofSeconds(60);

  /** Between two beacons while something else writes into the log. */
  static final Duration BUSY = Duration.ofMillis(500);

  /** More than what the commits of a new watermark add to the log, for hundreds of partitions. */
  static final long ECHO_BYTES = 64 << 10;

  /** Between two looks at the log while it moves. */
  static final Duration QUICK = Duration.ofMillis(20);

  /** Between two looks at a log that has stood still for {@link #STILL}. */
  static final Duration SLOW = Duration.ofSeconds(1);

  static final Duration STILL = Duration.ofSeconds(1);

  /** How long the log must stand still for the next move to be somebody else's. */
  static final Duration QUIET = Duration.ofMillis(100);

  /** After this a beacon that has not come back is written again. */
  static final Duration LOST = Duration.ofSeconds(2);

  private Duration distance = SHORTEST;
  private long emittedNanos;
  private boolean outstanding;
  private Lsn publishedAtEmission = Lsn.ZERO;
  private long quietSinceNanos;
  private boolean quiet;
  private Lsn end = Lsn.ZERO;
  private long movedNanos;

  BeaconPolicy(long nowNanos) {
    this.emittedNanos = nowNanos - LONGEST.toNanos();
    this.movedNanos = nowNanos;
  }

  /** How long to wait before the next look at the log. */
  Duration pause(long nowNanos) {
    return nowNanos - movedNanos < STILL.toNanos() ? QUICK : SLOW;
  }

  /**
   * Whether to write one now.
   *
   * @param insert where the source's log ends
   * @param published the position that every partition was told, or is about to be told
   */
  boolean due(long nowNanos, Lsn insert, Lsn published) {
    if (!insert.equals(end)) {
      end = insert;
      movedNanos = nowNanos;
    }
    if (published.isAfter(publishedAtEmission)) {
      outstanding = false;
    }
    if (published.reaches(insert)) {
      if (!quiet) {
        quiet = true;
        quietSinceNanos = nowNanos;
      } else if (nowNanos - quietSinceNanos >= QUIET.toNanos()) {
        distance = SHORTEST;
      }
      return false;
    }
    quiet = false;
    return nowNanos - emittedNanos >= distance(insert.bytesSince(published)).toNanos();
  }

  private Duration distance(long unpublishedBytes) {
    if (outstanding) {
      return LOST;
    }
    return unpublishedBytes > ECHO_BYTES && distance.compareTo(BUSY) > 0 ? BUSY : distance;
  }

  /**
   * Says that a beacon was written. {@code transactions} tells whether any came since the one
   * before.
   */
  void emitted(long nowNanos, Lsn published, boolean transactions) {
    Duration doubled = distance.multipliedBy(2);
    distance = transactions ? SHORTEST : doubled.compareTo(LONGEST) < 0 ? doubled : LONGEST;
    emittedNanos = nowNanos;
    publishedAtEmission = published;
    outstanding = true;
  }
}
