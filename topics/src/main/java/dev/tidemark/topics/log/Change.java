package dev.tidemark.topics.log;

import dev.tidemark.topics.Lsn;
import org.jspecify.annotations.Nullable;

/**
 * One change of one row, or the truncation of a table.
 *
 * @param operation what happened
 * @param relation the table
 * @param before the old row, or what the replica identity covers of it; null when the source did
 *     not send it
 * @param after the new row; null for deletes and truncations
 * @param lsn where the source logged the change; several changes can share one, and across
 *     transactions they are in no order: never decide by it
 * @param order 1, 2, 3 ... within the source transaction, over all partitions
 * @param tableOrder 1, 2, 3 ... within the source transaction and the table
 */
public record Change(
    Operation operation,
    Relation relation,
    @Nullable Tuple before,
    @Nullable Tuple after,
    Lsn lsn,
    long order,
    long tableOrder) {

  /** What happened to the row. */
  public enum Operation {
    /** The row was there when the snapshot was taken. */
    SNAPSHOT,
    INSERT,
    UPDATE,
    DELETE,
    /** The table was emptied: all rows of all tenants. */
    TRUNCATE
  }

  /** Roughly the bytes this change takes in a record. */
  public int weight() {
    return 24 + (before == null ? 0 : before.weight()) + (after == null ? 0 : after.weight());
  }
}
