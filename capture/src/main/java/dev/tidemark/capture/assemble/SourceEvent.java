package dev.tidemark.capture.assemble;

import dev.tidemark.topics.Lsn;
import dev.tidemark.topics.log.Change;
import java.time.Instant;

/** What the slot delivers, in the order in which it delivers it. */
public sealed interface SourceEvent {

  /** A row of the initial snapshot. Its position is the slot's consistent point. */
  record SnapshotRow(Change change) implements SourceEvent {}

  /**
   * A committed transaction begins. Transactions come whole, one after the other, in commit order.
   */
  record Begin(long xid, Instant commitTime) implements SourceEvent {}

  /** A change inside the transaction that has begun. */
  record Row(Change change) implements SourceEvent {}

  /** The transaction ends; {@code lsn} is the end of its commit record. */
  record Commit(Lsn lsn, Instant commitTime) implements SourceEvent {}

  /**
   * A logical message outside of transactions, ours or another tool's. Every transaction that
   * committed before {@code lsn} has been delivered before it.
   */
  record Mark(Lsn lsn, Instant time) implements SourceEvent {}
}
