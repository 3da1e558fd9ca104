package dev.tidemark.projector.replica;

import dev.tidemark.projector.row.RowException;
import dev.tidemark.topics.Lsn;
import dev.tidemark.topics.log.Change;
import dev.tidemark.topics.log.LogFormatException;
import dev.tidemark.topics.log.LogOrder;
import dev.tidemark.topics.log.LogOrder.Step;
import dev.tidemark.topics.log.LogRecord;
import dev.tidemark.topics.route.RouteFile;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Projects one partition of the log. Records that one poll brought are committed together; a
 * transaction of several parts has a database transaction of its own, which is committed by its
 * last part.
 *
 * <p>{@link LogOrder} says what each record means. A record at or below the committed offset is a
 * replay. An offset that is missing, or a record that cannot be projected, stops the partition: the
 * watermark stands before it, and the reason is in {@code tidemark_watermark.stopped}. Not
 * thread-safe.
 */
public final class PartitionProjector {

  private static final Logger LOG = LoggerFactory.getLogger(PartitionProjector.class);
  private static final int GROUP_CHANGES = 2_000;

  private final RouteFile routes;
  private final int partition;
  private final Replica replica;
  private final ChangeWriter writer;
  private final LogOrder order;
  private final List<Entry> group = new ArrayList<>();
  private int groupChanges;
  private long accepted;
  private @Nullable OpenTransaction open;
  private @Nullable Stop stopped;
  private @Nullable Stop missing;
  private long reportedMisses;

  private record Entry(long offset, LogRecord logRecord, Step step) {}

  /** A transaction of several parts, whose rows are in the database but not committed. */
  private record OpenTransaction(long events, @Nullable Stop failure) {}

  /** Goes on where the replica ends. */
  public PartitionProjector(RouteFile routes, int partition, Replica replica) {
    this.routes = routes;
    this.partition = partition;
    this.replica = replica;
    this.writer = new ChangeWriter(routes, partition, replica);
    this.order = new LogOrder(replica.watermark().generation(), replica.watermark().lsn());
    this.accepted = replica.watermark().logOffset();
  }

  /** Why the partition stands still; null while it does not. */
  public @Nullable String stopped() {
    return stopped == null ? null : stopped.describe();
  }

  /** The offset of the last record that is committed in the replica; -1 for none. */
  public long committedOffset() {
    return replica.watermark().logOffset();
  }

  /**
   * Takes the record at the offset. What it means is committed by {@link #endOfBatch} at the
   * latest.
   */
  public void accept(long offset, LogRecord logRecord) throws SQLException {
    if (logRecord instanceof LogRecord.GenerationStart start
        && start.generation() > order.generation()) {
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
    Entry entry = new Entry(offset, logRecord, order.next(logRecord));
    switch (entry.step()) {
      case FIRST_PART -> {
        endOfBatch();
        abandonOpen();
        acceptPart(entry, new OpenTransaction(0, null));
      }
      case PART, LAST_PART -> acceptPart(entry, requireOpen());
      case UNSTARTED -> {
        endOfBatch();
        stop(
            "offset "
                + offset
                + ": a record of generation "
                + logRecord.generation()
                + " came before the generation's start, so a new generation is needed");
      }
      case AHEAD -> {
        noteMissing(offset);
        acceptWhole(entry);
      }
      case START, SNAPSHOT_ROWS, SNAPSHOT_END, PROGRESS, TRANSACTION, SKIP -> acceptWhole(entry);
    }
  }

  private void acceptWhole(Entry entry) throws SQLException {
    if (order.open()) {
      // Nothing of the open transaction's: its last part commits this offset too.
      return;
    }
    abandonOpen();
    group.add(entry);
    groupChanges += changes(entry.logRecord());
    if (groupChanges >= GROUP_CHANGES) {
      endOfBatch();
    }
  }

  /**
   * What is missing comes again with capture's next run, within moments. Only what stays missing is
   * reported, by {@link #report}.
   */
  private void noteMissing(long offset) {
    if (missing == null) {
      missing =
          new Stop(
              "offset "
                  + offset
                  + " follows a transaction that is not in the log; waiting for capture to send it again",
              null);
      LOG.warn("partition={} of pipeline={}: {}", partition, routes.pipeline(), missing.reason());
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
      replica.report(stopped == null ? missing : stopped);
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
  public void endOfBatch() throws SQLException {
    if (group.isEmpty()) {
      return;
    }
    List<Entry> entries = List.copyOf(group);
    group.clear();
    groupChanges = 0;
    try {
      project(entries, false);
    } catch (SQLException | RowException e) {
      replica.rollback();
      if (!DataFaults.isAboutData(e)) {
        throw e;
      }
      projectOneByOne(entries);
    }
  }

  private void projectOneByOne(List<Entry> entries) throws SQLException {
    for (Entry entry : entries) {
      try {
        project(List.of(entry), false);
        continue;
      } catch (SQLException | RowException e) {
        replica.rollback();
        if (!DataFaults.isAboutData(e)) {
          throw e;
        }
      }
      try {
        project(List.of(entry), true);
      } catch (ChangeException e) {
        replica.rollback();
        stop(e.stop());
        return;
      } catch (SQLException | RowException e) {
        replica.rollback();
        if (!DataFaults.isAboutData(e)) {
          throw e;
        }
        stop(noSingleRow(entry, e));
        return;
      }
    }
  }

  /**
   * @param each whether changes are written one by one, each under its route's policy
   */
  private void project(List<Entry> entries, boolean each) throws SQLException {
    Watermark next = replica.watermark();
    long events = 0;
    Instant sourceTime = null;
    for (Entry entry : entries) {
      events += changes(entry.logRecord());
      sourceTime = sourceTime(entry.logRecord()).orElse(sourceTime);
      next = apply(next, entry, each).afterOffset(entry.offset());
    }
    commit(next, events, sourceTime);
  }

  private Watermark apply(Watermark at, Entry entry, boolean each) throws SQLException {
    return switch (entry.logRecord()) {
      case LogRecord.GenerationStart start when entry.step() == Step.START ->
          at.started(start.started().number(), start.started().history());
      case LogRecord.SnapshotRows snapshot when entry.step() == Step.SNAPSHOT_ROWS -> {
        write(snapshot.changes(), entry, snapshot.lsn(), each);
        yield at.withSnapshotRows(snapshot.changes().size());
      }
      case LogRecord.SnapshotComplete complete when entry.step() == Step.SNAPSHOT_END -> {
        replica.completeGeneration(routes.alsoIn(complete.routes()), at.generation());
        yield at.at(complete.lsn());
      }
      case LogRecord.TransactionPart whole when entry.step() == Step.TRANSACTION -> {
        Lsn commitLsn = whole.commitLsn().orElseThrow();
        write(whole.changes(), entry, commitLsn, each);
        yield at.at(commitLsn);
      }
      case LogRecord.Progress progress when entry.step() == Step.PROGRESS -> at.at(progress.lsn());
      default -> at;
    };
  }

  /**
   * Writes a part's rows into the open transaction. One that cannot be written may still turn out
   * to be a replay, which only its last part tells; so the failure is remembered until then.
   */
  private void acceptPart(Entry entry, OpenTransaction before) throws SQLException {
    LogRecord.TransactionPart part = (LogRecord.TransactionPart) entry.logRecord();
    long events = before.events() + part.changes().size();
    open = new OpenTransaction(events, before.failure());
    try {
      if (before.failure() == null) {
        writePart(part, entry);
        if (entry.step() == Step.LAST_PART) {
          Lsn commitLsn = part.commitLsn().orElseThrow();
          replica.settle(commitLsn);
          commit(
              replica.watermark().at(commitLsn).afterOffset(entry.offset()),
              events,
              part.commitTime());
          open = null;
          return;
        }
      }
    } catch (ChangeException e) {
      replica.rollback();
      open = new OpenTransaction(events, e.stop());
    } catch (SQLException | RowException e) {
      replica.rollback();
      if (!DataFaults.isAboutData(e)) {
        throw e;
      }
      open = new OpenTransaction(events, noSingleRow(entry, e));
    }
    Stop failure = requireOpen().failure();
    if (entry.step() == Step.LAST_PART && failure != null) {
      stop(failure);
    }
  }

  private void writePart(LogRecord.TransactionPart part, Entry entry) throws SQLException {
    Replica.Point before = replica.savepoint();
    try {
      write(part.changes(), entry, Replica.PENDING, false);
      replica.flush();
    } catch (SQLException | RowException e) {
      if (!DataFaults.isAboutData(e)) {
        throw e;
      }
      replica.undo(before);
      write(part.changes(), entry, Replica.PENDING, true);
    }
    replica.release(before);
  }

  /** Such as a relation that does not fit its route. */
  private static Stop noSingleRow(Entry entry, Exception e) {
    return new Stop("offset " + entry.offset() + ": " + DataFaults.reason(e), null);
  }

  private OpenTransaction requireOpen() {
    if (open == null) {
      throw new IllegalStateException("a part came, but no transaction is open");
    }
    return open;
  }

  private void commit(Watermark next, long events, @Nullable Instant sourceTime)
      throws SQLException {
    if (next.lsn().isAfter(replica.watermark().lsn())) {
      missing = null;
    }
    replica.commit(next, events, sourceTime);
  }

  private void abandonOpen() throws SQLException {
    if (open != null) {
      replica.rollback();
      open = null;
    }
  }

  private void write(List<Change> changes, Entry entry, Lsn lsn, boolean each) throws SQLException {
    if (each) {
      writer.writeEach(changes, entry.logRecord(), entry.offset(), lsn);
    } else {
      writer.write(changes, entry.logRecord(), lsn);
    }
  }

  private void stop(String reason) throws SQLException {
    stop(new Stop(reason, null));
  }

  private void stop(Stop stop) throws SQLException {
    // What is open must not be committed by the report.
    abandonOpen();
    stopped = stop;
    LOG.error(
        "partition={} of pipeline={} stopped: {}", partition, routes.pipeline(), stop.reason());
    replica.report(stop);
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
