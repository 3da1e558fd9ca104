package dev.tidemark.projector.replica;

import dev.tidemark.topics.log.LogRecord;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Whether the replica is catching up: whether what came to it lately was committed at the source
 * long before. Thread-safe.
 */
public final class Backlog {

  /** A record that is older than this when it comes is a late one. The source's clock counts. */
  static final Duration LATE = Duration.ofSeconds(2);

  /** So long after the last late record the replica has caught up. */
  static final Duration QUIET = Duration.ofMillis(500);

  private final Clock clock;
  private volatile @Nullable Instant lastLate;

  /** Nothing has come. */
  public Backlog(Clock clock) {
    this.clock = clock;
  }

  /** Says that a record came. Rows of a snapshot are always late. */
  void came(LogRecord logRecord) {
    switch (logRecord) {
      case LogRecord.TransactionPart part -> came(part.commitTime());
      case LogRecord.Progress progress -> came(progress.sourceTime());
      case LogRecord.SnapshotRows rows -> came(Instant.EPOCH);
      case LogRecord.GenerationStart start -> {}
      case LogRecord.SnapshotComplete complete -> {}
    }
  }

  private void came(Instant committed) {
    Instant now = clock.instant();
    if (committed.plus(LATE).isBefore(now)) {
      lastLate = now;
    }
  }

  /** Whether late records come. */
  public boolean catchingUp() {
    Instant late = lastLate;
    return late != null && late.plus(QUIET).isAfter(clock.instant());
  }
}
