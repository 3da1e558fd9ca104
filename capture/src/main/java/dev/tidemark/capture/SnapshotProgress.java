package dev.tidemark.capture;

import dev.tidemark.topics.route.TableName;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Counts the rows of a snapshot, and says now and then how far it is. Pure: the caller brings the
 * time. Not thread-safe.
 */
final class SnapshotProgress {

  private static final long EVERY_NANOS = Duration.ofSeconds(3).toNanos();

  private final long startedNanos;
  private long saidNanos;
  private long saidRows;
  private long rows;
  private @Nullable TableName table;

  SnapshotProgress(long nowNanos) {
    this.startedNanos = nowNanos;
    this.saidNanos = nowNanos;
  }

  /** Counts a row; says how far the snapshot is at most every 3 s. */
  Optional<String> row(TableName from, long nowNanos) {
    rows++;
    table = from;
    long since = nowNanos - saidNanos;
    if (since < EVERY_NANOS) {
      return Optional.empty();
    }
    String line =
        "snapshot rows=%d rows/s=%d table=%s".formatted(rows, rate(rows - saidRows, since), table);
    saidNanos = nowNanos;
    saidRows = rows;
    return Optional.of(line);
  }

  /** What the whole snapshot was. */
  String end(long nowNanos) {
    return "snapshot complete rows=%d rows/s=%d last table=%s"
        .formatted(rows, rate(rows, nowNanos - startedNanos), table == null ? "none" : table);
  }

  private static long rate(long count, long nanos) {
    return Math.round(count * 1e9 / Math.max(1, nanos));
  }
}
