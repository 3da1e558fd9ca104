package dev.tidemark.topics.route;

import java.util.Optional;

/**
 * One replica column.
 *
 * @param name the column of the replica table
 * @param from where its value comes from
 * @param transform what is done with the value
 * @param type the declared type; empty for "the type of the source column" in a table route, never
 *     empty in a document route
 */
public record ColumnMapping(
    String name, SourcePath from, Transform transform, Optional<ColumnType> type) {}
