package dev.tidemark.topics.schema;

import dev.tidemark.topics.route.ColumnType;
import dev.tidemark.topics.route.SourcePath;
import dev.tidemark.topics.route.Transform;

/**
 * A replica column whose type is known.
 *
 * @param name the column of the replica table
 * @param from where its value comes from; of a document route's key, the document's name
 * @param transform what is done with the value
 * @param type its type
 */
public record ResolvedColumn(String name, SourcePath from, Transform transform, ColumnType type) {

  /** Whether the value is a source column's, as it is. */
  public boolean plain() {
    return from.tail().isEmpty() && transform == Transform.NONE;
  }
}
