package dev.tidemark.projector.row;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is to be done to a replica table. Keys and values are in PostgreSQL's text form, by column.
 */
public sealed interface RowOperation {

  /** The replica table. */
  ReplicaTable table();

  /** The row is there with exactly these values, whether it was there before or not. */
  record Upsert(ReplicaTable table, String tenant, Map<String, @Nullable String> row)
      implements RowOperation {}

  /** The row keeps the columns that {@code row} does not name. It must be there. */
  record Patch(ReplicaTable table, String tenant, Map<String, @Nullable String> row)
      implements RowOperation {}

  /** The row is gone. */
  record Delete(ReplicaTable table, String tenant, Map<String, @Nullable String> key)
      implements RowOperation {}

  /**
   * The row moves to another key or tenant and keeps the columns that {@code row} does not name.
   *
   * @param key the key that it had
   */
  record Move(
      ReplicaTable table,
      String oldTenant,
      Map<String, @Nullable String> key,
      String tenant,
      Map<String, @Nullable String> row)
      implements RowOperation {}

  /** Every row of every tenant of this partition is gone. */
  record Truncate(ReplicaTable table) implements RowOperation {}
}
