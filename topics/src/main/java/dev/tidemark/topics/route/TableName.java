package dev.tidemark.topics.route;

import dev.tidemark.topics.schema.Sql;

/**
 * A table of the source, by the exact names that PostgreSQL's catalog holds (no folding, no
 * quotes).
 *
 * @param schema the schema, 1 to 63 bytes
 * @param name the table, 1 to 63 bytes
 */
public record TableName(String schema, String name) {

  /** The name as SQL, both parts quoted. */
  public String sql() {
    return Sql.identifier(schema) + "." + Sql.identifier(name);
  }

  @Override
  public String toString() {
    return schema + "." + name;
  }
}
