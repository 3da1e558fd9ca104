package dev.tidemark.topics.log;

import dev.tidemark.topics.Generation;
import dev.tidemark.topics.Lsn;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One record of a partition of the log topic. */
public sealed interface LogRecord {

  /** The number of the generation that the record belongs to. */
  int generation();

  /**
   * A new history begins. Every position of an older generation means nothing from here on, and the
   * rows of this generation's snapshot follow.
   */
  record GenerationStart(Generation started) implements LogRecord {
    @Override
    public int generation() {
      return started.number();
    }
  }

  /**
   * Rows as they were when the slot was created.
   *
   * @param lsn the slot's consistent point
   */
  record SnapshotRows(int generation, Lsn lsn, List<Change> changes) implements LogRecord {
    public SnapshotRows {
      changes = List.copyOf(changes);
    }
  }

  /**
   * Every row that the snapshot has for this partition has been sent.
   *
   * @param lsn the partition's first watermark
   * @param routes the routes that it was read for: the fingerprint of each by its replica table. A
   *     projector whose routes are others has not got the rows of all its tables
   */
  record SnapshotComplete(int generation, Lsn lsn, Map<String, String> routes)
      implements LogRecord {
    public SnapshotComplete {
      routes = Map.copyOf(routes);
    }
  }

  /**
   * A committed source transaction's changes of one partition, or one part of them. Parts of a
   * transaction follow each other without another transaction's between them; part 0 starts the
   * transaction over, whatever came before.
   *
   * @param run which run of capture sent it; a later run has a greater number
   * @param after the commit LSN of the transaction that this run sent to the partition before;
   *     {@link Lsn#ZERO} for none
   * @param xid the source's transaction id, 32 bit
   * @param part 0, 1, 2 ...
   * @param commitLsn on the last part only: the end of the commit record, which becomes the
   *     partition's watermark
   * @param commitTime the source's clock at the commit
   */
  record TransactionPart(
      int generation,
      int run,
      Lsn after,
      long xid,
      int part,
      Optional<Lsn> commitLsn,
      Instant commitTime,
      List<Change> changes)
      implements LogRecord {
    public TransactionPart {
      changes = List.copyOf(changes);
    }
  }

  /**
   * Everything that was committed at or before {@code lsn} has been sent to this partition.
   *
   * @param after as in {@link TransactionPart}
   * @param sourceTime the source's clock when that was known
   */
  record Progress(int generation, Lsn after, Lsn lsn, Instant sourceTime) implements LogRecord {}
}
