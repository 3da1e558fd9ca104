package dev.tidemark.projector.row;

import java.util.List;
import java.util.Map;
import java.util.SequencedMap;

/**
 * A replica table as it is in the replica database.
 *
 * @param target its name, in schema {@code public}
 * @param key the columns of the primary key behind {@code tenant_id}, in order
 * @param types the SQL type of every column of the key and of the route, in order
 */
public record ReplicaTable(String target, List<String> key, SequencedMap<String, String> types) {

  public ReplicaTable {
    key = List.copyOf(key);
  }

  /** The SQL type of a column. */
  public String type(String column) {
    String type = types.get(column);
    if (type == null) {
      throw new RowException(
          "replica table "
              + target
              + " has no column "
              + column
              + ": run the migration of the routes");
    }
    return type;
  }

  /** The columns outside of the key, in order. */
  public List<String> values() {
    return types.sequencedKeySet().stream().filter(column -> !key.contains(column)).toList();
  }

  /** For a table with the given types, in their order. */
  public static ReplicaTable of(String target, List<String> key, Map<String, String> types) {
    return new ReplicaTable(target, key, new java.util.LinkedHashMap<>(types));
  }
}
