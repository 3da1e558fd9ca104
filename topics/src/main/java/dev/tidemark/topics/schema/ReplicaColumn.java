package dev.tidemark.topics.schema;

/**
 * A column of a replica table.
 *
 * @param name the column
 * @param type its type as PostgreSQL prints it, or a comment where it is not known
 * @param required whether it is not null
 */
public record ReplicaColumn(String name, String type, boolean required) {

  String definition() {
    return Sql.identifier(name) + " " + type + (required ? " not null" : "");
  }
}
