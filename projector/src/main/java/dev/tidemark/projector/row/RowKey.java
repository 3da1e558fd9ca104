package dev.tidemark.projector.row;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Which row of a replica table.
 *
 * @param key PostgreSQL's text of each key column
 */
public record RowKey(ReplicaTable table, String tenant, Map<String, @Nullable String> key) {

  /** The key's values, in the order of the table's key. */
  public List<String> values() {
    return table.key().stream().map(column -> String.valueOf(key.get(column))).toList();
  }

  /** For operators: {@code id=7, part=A}. */
  public String describe() {
    return table.key().stream()
        .map(column -> column + "=" + key.get(column))
        .collect(Collectors.joining(", "));
  }
}
