package dev.tidemark.topics.schema;

import dev.tidemark.topics.route.TableName;
import java.util.Set;

/**
 * A publication of the source.
 *
 * @param allTables whether it was made {@code for all tables}
 * @param narrowed whether it has a row filter, a column list, or whole schemas
 * @param complete whether it publishes every operation, and partitions as their root
 * @param tables the tables that it names
 */
public record PublicationInfo(
    boolean allTables, boolean narrowed, boolean complete, Set<TableName> tables) {

  public PublicationInfo {
    tables = Set.copyOf(tables);
  }
}
