package dev.tidemark.topics.schema;

/**
 * A column as PostgreSQL's catalog holds it.
 *
 * @param name the exact name
 * @param type the type as {@code format_type} prints it, with its modifiers
 * @param sourceType the type without its modifiers
 * @param notNull whether it is declared not null
 * @param generated whether it is a generated column, stored or virtual
 */
public record ColumnInfo(
    String name, String type, SourceType sourceType, boolean notNull, boolean generated) {}
