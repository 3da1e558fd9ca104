package dev.tidemark.topics.schema;

import java.util.List;

/**
 * A valid unique index over plain columns and all rows.
 *
 * @param columns its key columns, in the index's order
 * @param primary whether it is the primary key's
 * @param immediate whether it is checked at once, which a replica identity demands
 * @param replicaIdentity whether it was chosen by {@code replica identity using index}
 */
public record IndexInfo(
    List<String> columns, boolean primary, boolean immediate, boolean replicaIdentity) {

  public IndexInfo {
    columns = List.copyOf(columns);
  }
}
