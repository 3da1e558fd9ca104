package dev.tidemark.capture.assemble;

import dev.tidemark.topics.Lsn;
import dev.tidemark.topics.log.Change;
import dev.tidemark.topics.log.LogRecord;
import dev.tidemark.topics.route.RouteFile;
import dev.tidemark.topics.route.TableName;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Makes log records from the slot's events: one per source transaction and partition, or several
 * parts of a bounded size.
 *
 * <pre>
 *   state      event         does                                                          next
 *   snapshot   SnapshotRow   buffers, appends full buffers                                 snapshot
 *   snapshot   Begin, Mark   appends the rest and SnapshotComplete, then as in idle        (as in idle)
 *   idle       Begin         remembers the transaction                                     open
 *   idle       Mark          appends Progress to every partition                           idle
 *   open       Row           buffers, appends full buffers as parts                        open
 *   open       Commit        appends last parts                                            idle
 *   open       Begin         forgets the open transaction: the engine started over         open
 * </pre>
 *
 * <p>What is appended before a crash may be appended again after it, always as whole transactions
 * from part 0 on; the projector skips those by their commit LSN. Not thread-safe: the caller
 * serialises.
 */
public final class TransactionAssembler {

  /**
   * The position of a snapshot without rows, which tells none: before every transaction, but after
   * nothing, so that what follows is not taken for applied when the snapshot's end was not.
   */
  private static final Lsn EMPTY_SNAPSHOT = new Lsn(1);

  private final TenantLookup tenants;
  private final Map<String, String> fingerprints;
  private final int generation;
  private final int run;
  private final LogSink sink;
  private final int maxPartBytes;
  private final int maxBufferedBytes;
  private final PartitionBuffer[] buffers;
  private final Lsn[] told;
  private final Lsn[] lastCommits;

  private boolean snapshot;
  private Lsn snapshotLsn = EMPTY_SNAPSHOT;
  private Lsn position;
  private Instant positionTime;
  private SourceEvent.@Nullable Begin open;
  private int buffered;

  /**
   * Starts with a snapshot that has yet to come.
   *
   * @param identities of every captured table with a tenant column
   * @param run greater than that of any run before
   * @param maxPartBytes roughly how large a record may grow, far below the broker's limit
   */
  public static TransactionAssembler forSnapshot(
      RouteFile routes,
      Map<TableName, TenantIdentity> identities,
      int generation,
      int run,
      LogSink sink,
      int maxPartBytes) {
    return new TransactionAssembler(
        routes, identities, generation, run, sink, maxPartBytes, true, Lsn.ZERO, Instant.EPOCH);
  }

  /** Goes on after {@code position}, up to which everything is in the log. */
  public static TransactionAssembler resuming(
      RouteFile routes,
      Map<TableName, TenantIdentity> identities,
      int generation,
      int run,
      LogSink sink,
      int maxPartBytes,
      Lsn position,
      Instant now) {
    return new TransactionAssembler(
        routes, identities, generation, run, sink, maxPartBytes, false, position, now);
  }

  private TransactionAssembler(
      RouteFile routes,
      Map<TableName, TenantIdentity> identities,
      int generation,
      int run,
      LogSink sink,
      int maxPartBytes,
      boolean snapshot,
      Lsn position,
      Instant positionTime) {
    this.tenants = new TenantLookup(routes, identities);
    this.fingerprints = routes.fingerprints();
    this.generation = generation;
    this.run = run;
    this.sink = sink;
    this.maxPartBytes = maxPartBytes;
    this.maxBufferedBytes = 8 * maxPartBytes;
    this.snapshot = snapshot;
    this.position = position;
    this.positionTime = positionTime;
    this.buffers = new PartitionBuffer[routes.partitions()];
    Arrays.setAll(buffers, partition -> new PartitionBuffer());
    this.told = new Lsn[routes.partitions()];
    Arrays.fill(told, Lsn.ZERO);
    this.lastCommits = new Lsn[routes.partitions()];
    Arrays.fill(lastCommits, Lsn.ZERO);
  }

  /**
   * Takes the next event.
   *
   * @throws UnusableChangeException when a change cannot be sent on without guessing
   */
  public void accept(SourceEvent event) {
    switch (event) {
      case SourceEvent.SnapshotRow row -> snapshotRow(row.change());
      case SourceEvent.Begin begin -> begin(begin);
      case SourceEvent.Row row -> row(row.change());
      case SourceEvent.Commit commit -> commit(commit);
      case SourceEvent.Mark mark -> mark(mark);
    }
  }

  /**
   * The position up to which everything has been appended; {@link Lsn#ZERO} while the snapshot is
   * being read.
   */
  public Lsn position() {
    return position;
  }

  /** Tells the partitions that got no rows lately how far the log is. */
  public void tellProgress() {
    for (int partition = 0; partition < told.length; partition++) {
      if (!buffers[partition].started()) {
        tellProgress(partition);
      }
    }
  }

  private void tellProgress(int partition) {
    if (!snapshot && position.isAfter(told[partition])) {
      sink.append(
          partition,
          new LogRecord.Progress(generation, lastCommits[partition], position, positionTime));
      told[partition] = position;
    }
  }

  private void snapshotRow(Change change) {
    if (!snapshot) {
      throw new IllegalStateException(
          "a row of a snapshot came after the snapshot of generation " + generation);
    }
    snapshotLsn = snapshotLsn.max(change.lsn());
    buffer(change);
  }

  private void endSnapshot() {
    if (!snapshot) {
      return;
    }
    for (int partition = 0; partition < buffers.length; partition++) {
      if (buffers[partition].hasChanges()) {
        flush(partition);
      }
      buffers[partition].reset();
    }
    // Rows of a snapshot don't name what is before them: none may be missing when its end is told.
    sink.flush();
    for (int partition = 0; partition < buffers.length; partition++) {
      sink.append(partition, new LogRecord.SnapshotComplete(generation, snapshotLsn, fingerprints));
      told[partition] = snapshotLsn;
      lastCommits[partition] = snapshotLsn;
    }
    snapshot = false;
    position = snapshotLsn;
  }

  private void begin(SourceEvent.Begin begin) {
    endSnapshot();
    for (PartitionBuffer buffer : buffers) {
      buffer.reset();
    }
    buffered = 0;
    open = begin;
  }

  private void row(Change change) {
    if (open == null) {
      throw new IllegalStateException(
          "a change of "
              + change.relation().table()
              + " at "
              + change.lsn()
              + " came outside of a transaction");
    }
    if (change.operation() == Change.Operation.TRUNCATE) {
      for (int partition = 0; partition < buffers.length; partition++) {
        buffer(partition, change);
      }
    } else {
      buffer(change);
    }
  }

  private void commit(SourceEvent.Commit commit) {
    SourceEvent.Begin begun = open;
    if (begun == null) {
      throw new IllegalStateException(
          "a commit at " + commit.lsn() + " came without its transaction");
    }
    for (int partition = 0; partition < buffers.length; partition++) {
      if (buffers[partition].touched()) {
        appendPart(partition, begun, Optional.of(commit.lsn()));
        told[partition] = told[partition].max(commit.lsn());
        lastCommits[partition] = commit.lsn();
      }
      buffers[partition].reset();
    }
    buffered = 0;
    open = null;
    reached(commit.lsn(), commit.commitTime());
  }

  private void mark(SourceEvent.Mark mark) {
    endSnapshot();
    reached(mark.lsn(), mark.time());
    tellProgress();
  }

  private void reached(Lsn lsn, Instant time) {
    if (lsn.reaches(position)) {
      position = lsn;
      positionTime = time;
    }
    sink.completed(position);
  }

  private void buffer(Change change) {
    for (int partition : tenants.partitions(change)) {
      buffer(partition, change);
    }
  }

  private void buffer(int partition, Change change) {
    buffers[partition].add(change);
    buffered += change.weight();
    if (buffers[partition].weight() >= maxPartBytes) {
      flush(partition);
    } else if (buffered >= maxBufferedBytes) {
      for (int other = 0; other < buffers.length; other++) {
        if (buffers[other].hasChanges()) {
          flush(other);
        }
      }
    }
  }

  private void flush(int partition) {
    buffered -= buffers[partition].weight();
    if (open != null) {
      appendPart(partition, open, Optional.empty());
    } else {
      sink.append(
          partition,
          new LogRecord.SnapshotRows(generation, snapshotLsn, buffers[partition].take()));
    }
  }

  private void appendPart(int partition, SourceEvent.Begin transaction, Optional<Lsn> commitLsn) {
    PartitionBuffer buffer = buffers[partition];
    if (!buffer.started() && commitLsn.isEmpty()) {
      // Readers of this partition must not wait for the end of a long transaction to learn of what
      // came before it.
      tellProgress(partition);
    }
    sink.append(
        partition,
        new LogRecord.TransactionPart(
            generation,
            run,
            lastCommits[partition],
            transaction.xid(),
            buffer.nextPart(),
            commitLsn,
            transaction.commitTime(),
            buffer.take()));
  }
}
