package dev.tidemark.topics.log;

import dev.tidemark.topics.Lsn;
import org.jspecify.annotations.Nullable;

/**
 * What the records of one partition of the log mean, one after the other, to a reader that has
 * applied everything up to a position.
 *
 * <p>The log repeats itself after a crash of capture; it may hold what a run wrote that had lost
 * the slot already; and it may lack what Kafka did not take. Each run's records name the
 * transaction before them, so that a reader that applies only what follows on its own position
 * applies every transaction once and in order, whatever the runs' records are mixed with. What it
 * leaves out as {@link Step#AHEAD} is sent again by a later run, since a position is stored as the
 * source offset only when everything before it is in the log.
 *
 * <p>Pure; not thread-safe.
 */
public final class LogOrder {

  /** What to do with a record. Whatever is open and not {@link #open} any more is dropped. */
  public enum Step {
    /** A new generation: its rows follow, and the position is nowhere. */
    START,
    /** Write the rows of the snapshot. */
    SNAPSHOT_ROWS,
    /** The snapshot is complete: rows of older generations go, and the position is its own. */
    SNAPSHOT_END,
    /** Nothing to write, but the position moves. */
    PROGRESS,
    /** Write all of a transaction; the position moves to its commit. */
    TRANSACTION,
    /** Begin a transaction, and write its first part; drop what is open. */
    FIRST_PART,
    /** Write one more part of the open transaction. */
    PART,
    /** Write the last part of the open transaction; the position moves to its commit. */
    LAST_PART,
    /** Nothing: a replay, or an older generation's or run's. */
    SKIP,
    /** Nothing: something before it is missing in the log, and will be sent again. */
    AHEAD,
    /** Its generation has not started: the log lacks its beginning. */
    UNSTARTED
  }

  private record Open(int run, long xid, int nextPart) {

    boolean continuedBy(LogRecord.TransactionPart part) {
      return part.run() == run && part.xid() == xid && part.part() == nextPart;
    }
  }

  private int generation;
  private Lsn lsn;
  private @Nullable Open open;

  /** Goes on where everything up to {@code lsn} of the generation has been applied. */
  public LogOrder(int generation, Lsn lsn) {
    this.generation = generation;
    this.lsn = lsn;
  }

  /** Goes on within a transaction whose parts up to {@code last} have been kept. */
  public void resume(LogRecord.TransactionPart last) {
    open = new Open(last.run(), last.xid(), last.part() + 1);
  }

  /** The generation that {@link #lsn} belongs to; 0 before the first. */
  public int generation() {
    return generation;
  }

  /** Up to where everything has been applied; {@link Lsn#ZERO} within a snapshot. */
  public Lsn lsn() {
    return lsn;
  }

  /** Whether parts of a transaction have been written whose last one has not come. */
  public boolean open() {
    return open != null;
  }

  /** Says what the next record means, and takes it as applied. */
  public Step next(LogRecord logRecord) {
    if (logRecord.generation() < generation) {
      return Step.SKIP;
    }
    if (logRecord.generation() > generation) {
      return logRecord instanceof LogRecord.GenerationStart start ? start(start) : Step.UNSTARTED;
    }
    return switch (logRecord) {
      case LogRecord.GenerationStart again -> Step.SKIP;
      case LogRecord.SnapshotRows rows -> lsn.equals(Lsn.ZERO) ? Step.SNAPSHOT_ROWS : Step.SKIP;
      case LogRecord.SnapshotComplete complete -> snapshotEnd(complete);
      case LogRecord.TransactionPart part -> part(part);
      case LogRecord.Progress progress -> progress(progress);
    };
  }

  private Step start(LogRecord.GenerationStart start) {
    generation = start.generation();
    lsn = Lsn.ZERO;
    open = null;
    return Step.START;
  }

  private Step snapshotEnd(LogRecord.SnapshotComplete complete) {
    if (lsn.isAfter(Lsn.ZERO)) {
      return Step.SKIP;
    }
    lsn = complete.lsn();
    return Step.SNAPSHOT_END;
  }

  private Step progress(LogRecord.Progress progress) {
    // A run never interrupts its own transaction, and sends that of an earlier run again: whose
    // progress this is does not matter while one is open.
    if (lsn.reaches(progress.lsn()) || open != null) {
      return Step.SKIP;
    }
    if (progress.after().isAfter(lsn)) {
      return Step.AHEAD;
    }
    lsn = progress.lsn();
    return Step.PROGRESS;
  }

  private Step part(LogRecord.TransactionPart part) {
    Open current = open;
    boolean continues = current != null && current.continuedBy(part);
    if (part.commitLsn().isPresent() && lsn.reaches(part.commitLsn().get())) {
      if (continues) {
        open = null;
      }
      return Step.SKIP;
    }
    if (current != null && part.run() < current.run()) {
      return Step.SKIP;
    }
    if (part.after().isAfter(lsn) || part.part() > 0 && !continues) {
      open = null;
      return Step.AHEAD;
    }
    if (part.commitLsn().isPresent()) {
      open = null;
      lsn = part.commitLsn().get();
      return part.part() == 0 ? Step.TRANSACTION : Step.LAST_PART;
    }
    open = new Open(part.run(), part.xid(), part.part() + 1);
    return part.part() == 0 ? Step.FIRST_PART : Step.PART;
  }
}
