package dev.tidemark.projector.replica;

import dev.tidemark.projector.row.RowException;
import dev.tidemark.projector.row.RowMapper;
import dev.tidemark.projector.row.RowOperation;
import dev.tidemark.topics.Lsn;
import dev.tidemark.topics.log.Change;
import dev.tidemark.topics.log.LogFormatException;
import dev.tidemark.topics.log.LogRecord;
import dev.tidemark.topics.route.RouteFile;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Projects one partition of the log. Records that one poll brought are committed together; a
 * transaction of several parts has a database transaction of its own, which is committed by its
 * last part.
 *
 * <p>A record at or below the committed offset is a replay. A transaction at or below the watermark
 * is one too, and is skipped as a whole. An offset that is missing, or a record that cannot be
 * projected, stops the partition: the watermark stands before it, and the reason is in {@code
 * tidemark_watermark.stopped}. Not thread-safe.
 */
final class PartitionProjector {

  private static final Logger LOG = LoggerFactory.getLogger(PartitionProjector.class);
  private static final int GROUP_CHANGES = 2_000;

  /**
   * Classes of SQLSTATE that pass: connection, transaction state, rollback, resources, not ready,
   * operator, system.
   */
  private static final Set<String> PASSING =
      Set.of("08", "25", "40", "53", "55", "57", "58", "F0", "XX");

  private final RouteFile routes;
  private final int partition;
  private final ReplicaConnection replica;
  private final RowMapper mapper;
  private final List<Entry> group = new ArrayList<>();
  private int groupChanges;
  private long accepted;
  private @Nullable OpenTransaction open;
  private @Nullable String stopped;
  private long reportedMisses;

  private record Entry(long offset, LogRecord logRecord) {}

  /** A transaction of several parts, whose rows are in the database but not committed. */
  private record OpenTransaction(long xid, int nextPart, long events, @Nullable String failure) {}

  PartitionProjector(RouteFile routes, int partition, ReplicaConnection replica) {
    this.routes = routes;
    this.partition = partition;
    this.replica = replica;
    this.mapper = new RowMapper(routes, replica.tables(), partition);
    this.accepted = replica.watermark().logOffset();
  }

  /** Why the partition stands still; null while it does not. */
  @Nullable String stopped() {
    return stopped;
  }

  /** The offset of the last record that is committed in the replica; -1 for none. */
  long committedOffset() {
    return replica.watermark().logOffset();
  }

  /**
   * Takes the record at the offset. What it means is committed by {@link #endOfBatch} at the
   * latest.
   */
  void accept(long offset, LogRecord logRecord) throws SQLException {
    if (logRecord instanceof LogRecord.GenerationStart start
        && start.generation() > replica.watermark().generation()) {
      startOver(offset);
    }
    if (stopped != null || offset <= accepted) {
      return;
    }
    if (offset != accepted + 1) {
      endOfBatch();
      stop(
          "the log goes on at offset "
              + offset
              + " but the replica ends at "
              + accepted
              + ": records in between are gone, so a new generation is needed");
      return;
    }
    accepted = offset;
    boolean partOfMany =
        logRecord instanceof LogRecord.TransactionPart part
            && (part.part() > 0 || part.commitLsn().isEmpty());
    if (partOfMany) {
      endOfBatch();
      acceptPart(offset, (LogRecord.TransactionPart) logRecord);
      return;
    }
    abandonOpen();
    group.add(new Entry(offset, logRecord));
    groupChanges += changes(logRecord);
    if (groupChanges >= GROUP_CHANGES) {
      endOfBatch();
    }
  }

  /** Stops at a record that is not in the log's format. */
  void unreadable(long offset, LogFormatException e) throws SQLException {
    if (stopped == null && offset > accepted) {
      endOfBatch();
      stop("offset " + offset + ": " + e.getMessage());
    }
  }

  /** Says in the database that this partition is worked on, and why it stands still if it does. */
  void report() throws SQLException {
    long missed = replica.missedDeletes();
    if (missed > reportedMisses) {
      LOG.warn(
          "{} deletes found no row in partition={}: the replica lacked rows, or was changed by hand",
          missed - reportedMisses,
          partition);
      reportedMisses = missed;
    }
    if (open == null) {
      replica.report(stopped);
    } else {
      replica.reportAside();
    }
  }

  /**
   * A newer generation brings every row again, so that whatever kept the partition from going on is
   * past: a gap, a record that cannot be projected, or a log that was made anew and counts from 0
   * again.
   */
  private void startOver(long offset) throws SQLException {
    endOfBatch();
    abandonOpen();
    stopped = null;
    accepted = offset - 1;
  }

  /** Commits what was accepted. */
  void endOfBatch() throws SQLException {
    if (group.isEmpty()) {
      return;
    }
    List<Entry> entries = List.copyOf(group);
    group.clear();
    groupChanges = 0;
    try {
      project(entries);
    } catch (SQLException | RowException e) {
      replica.rollback();
      if (!isAboutData(e)) {
        throw e;
      }
      projectOneByOne(entries);
    }
  }

  private void projectOneByOne(List<Entry> entries) throws SQLException {
    for (Entry entry : entries) {
      try {
        project(List.of(entry));
      } catch (SQLException | RowException e) {
        replica.rollback();
        if (!isAboutData(e)) {
          throw e;
        }
        stop("offset " + entry.offset() + ": " + reason(e));
        return;
      }
    }
  }

  private void project(List<Entry> entries) throws SQLException {
    Watermark next = replica.watermark();
    long events = 0;
    Instant sourceTime = null;
    for (Entry entry : entries) {
      events += changes(entry.logRecord());
      sourceTime = sourceTime(entry.logRecord()).orElse(sourceTime);
      next = apply(next, entry.logRecord()).afterOffset(entry.offset());
    }
    replica.commit(next, events, sourceTime);
  }

  private Watermark apply(Watermark at, LogRecord logRecord) throws SQLException {
    if (logRecord instanceof LogRecord.GenerationStart start) {
      int number = start.started().number();
      return number > at.generation() ? at.started(number, start.started().history()) : at;
    }
    if (logRecord.generation() < at.generation()) {
      return at;
    }
    requireStarted(at, logRecord);
    return switch (logRecord) {
      case LogRecord.GenerationStart start -> at;
      case LogRecord.SnapshotRows snapshot -> {
        write(snapshot.changes(), snapshot.lsn(), at.generation());
        yield at;
      }
      case LogRecord.SnapshotComplete complete -> {
        replica.completeGeneration(routes.routes(), at.generation());
        yield at.at(complete.lsn());
      }
      case LogRecord.TransactionPart part -> {
        Lsn commitLsn = part.commitLsn().orElseThrow();
        if (at.lsn().reaches(commitLsn)) {
          yield at;
        }
        write(part.changes(), commitLsn, at.generation());
        yield at.at(commitLsn);
      }
      case LogRecord.Progress progress -> at.at(progress.lsn());
    };
  }

  private void acceptPart(long offset, LogRecord.TransactionPart part) throws SQLException {
    if (stopped != null) {
      return;
    }
    if (part.part() == 0) {
      abandonOpen();
    }
    Watermark at = replica.watermark();
    if (part.generation() < at.generation()) {
      return;
    }
    OpenTransaction next = write(at, part);
    open = next;
    if (part.commitLsn().isPresent()) {
      open = null;
      commit(at, offset, part.commitLsn().get(), part, next);
    }
  }

  /**
   * Writes a part's rows into the open transaction. One that cannot be written may still turn out
   * to be a replay, which only its last part tells; so the failure is remembered.
   */
  private OpenTransaction write(Watermark at, LogRecord.TransactionPart part) throws SQLException {
    OpenTransaction current = open;
    boolean follows =
        part.part() == 0
            || current != null && current.xid() == part.xid() && current.nextPart() == part.part();
    long events = (current == null ? 0 : current.events()) + part.changes().size();
    String failure = current == null ? null : current.failure();
    if (!follows) {
      failure = "part " + part.part() + " of transaction " + part.xid() + " came out of turn";
    }
    if (failure == null) {
      try {
        requireStarted(at, part);
        write(part.changes(), RowWriter.PENDING, at.generation());
      } catch (SQLException | RowException e) {
        replica.rollback();
        if (!isAboutData(e)) {
          throw e;
        }
        failure = reason(e);
      }
    }
    return new OpenTransaction(part.xid(), part.part() + 1, events, failure);
  }

  private void commit(
      Watermark at, long offset, Lsn commitLsn, LogRecord.TransactionPart last, OpenTransaction all)
      throws SQLException {
    if (at.lsn().reaches(commitLsn)) {
      replica.rollback();
      replica.commit(at.afterOffset(offset), 0, null);
      return;
    }
    String failure = all.failure();
    if (failure == null) {
      try {
        replica.settle(commitLsn);
        replica.commit(at.at(commitLsn).afterOffset(offset), all.events(), last.commitTime());
        return;
      } catch (SQLException | RowException e) {
        replica.rollback();
        if (!isAboutData(e)) {
          throw e;
        }
        failure = reason(e);
      }
    }
    stop("offset " + offset + ": " + failure);
  }

  private void abandonOpen() throws SQLException {
    if (open != null) {
      replica.rollback();
      open = null;
    }
  }

  private void write(List<Change> changes, Lsn lsn, int generation) throws SQLException {
    for (Change change : changes) {
      for (RowOperation operation : mapper.operations(change)) {
        replica.execute(operation, lsn, generation);
      }
    }
  }

  private static void requireStarted(Watermark at, LogRecord logRecord) {
    if (logRecord.generation() > at.generation()) {
      throw new RowException(
          "a record of generation "
              + logRecord.generation()
              + " came before the generation's start");
    }
  }

  private void stop(String reason) throws SQLException {
    // What is open must not be committed by the report.
    abandonOpen();
    stopped = reason;
    LOG.error("partition={} of pipeline={} stopped: {}", partition, routes.pipeline(), reason);
    replica.report(reason);
  }

  /**
   * Whether the row is at fault, so that writing it again does not help. Not so are lost
   * connections, conflicts with other transactions, full disks and servers that shut down. Classes
   * after PostgreSQL's "Error Codes" appendix.
   */
  private static boolean isAboutData(Exception e) {
    if (e instanceof RowException) {
      return true;
    }
    String state = e instanceof SQLException sql ? sql.getSQLState() : null;
    return state != null && PASSING.stream().noneMatch(state::startsWith);
  }

  /** PostgreSQL's primary message alone: its detail may hold a row's content. */
  private static String reason(Exception e) {
    if (e instanceof org.postgresql.util.PSQLException sql && sql.getServerErrorMessage() != null) {
      return "PostgreSQL refused the row with SQLSTATE " + sql.getSQLState();
    }
    return String.valueOf(e.getMessage());
  }

  private static int changes(LogRecord logRecord) {
    return switch (logRecord) {
      case LogRecord.SnapshotRows snapshot -> snapshot.changes().size();
      case LogRecord.TransactionPart part -> part.changes().size();
      case LogRecord.GenerationStart start -> 0;
      case LogRecord.SnapshotComplete complete -> 0;
      case LogRecord.Progress progress -> 0;
    };
  }

  private static Optional<Instant> sourceTime(LogRecord logRecord) {
    return switch (logRecord) {
      case LogRecord.TransactionPart part -> Optional.of(part.commitTime());
      case LogRecord.Progress progress -> Optional.of(progress.sourceTime());
      case LogRecord.SnapshotRows snapshot -> Optional.empty();
      case LogRecord.GenerationStart start -> Optional.empty();
      case LogRecord.SnapshotComplete complete -> Optional.empty();
    };
  }
}
