package dev.tidemark.topics.schema;

import dev.tidemark.topics.route.ColumnMapping;
import dev.tidemark.topics.route.DocumentRoute;
import dev.tidemark.topics.route.Route;
import dev.tidemark.topics.route.TableName;
import dev.tidemark.topics.route.TableRoute;
import dev.tidemark.topics.route.Transform;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a replica table is to look like.
 *
 * @param name the table, in schema {@code public}
 * @param columns all columns, {@code tenant_id} first and the bookkeeping last
 * @param key the primary key beside {@code tenant_id}
 * @param unknownKey a comment that stands for the key of a source that was not read
 */
public record ReplicaTable(
    TableName name, List<ReplicaColumn> columns, List<String> key, Optional<String> unknownKey) {

  private static final ReplicaColumn TENANT = new ReplicaColumn("tenant_id", "text", true);

  private static final List<ReplicaColumn> BOOKKEEPING =
      List.of(
          new ReplicaColumn("source_lsn", "pg_lsn", true),
          new ReplicaColumn("updated_at", "timestamp with time zone", true),
          new ReplicaColumn("tidemark_generation", "integer", true));

  public ReplicaTable {
    columns = List.copyOf(columns);
    key = List.copyOf(key);
  }

  /** The table of a route that was resolved. */
  public static ReplicaTable of(ResolvedRoute route) {
    List<String> key = route.key().stream().map(ResolvedColumn::name).toList();
    List<ReplicaColumn> own =
        Stream.concat(route.key().stream(), route.columns().stream())
            .distinct()
            .map(
                column ->
                    new ReplicaColumn(
                        column.name(), column.type().sql(), key.contains(column.name())))
            .toList();
    return of(route.route(), own, key, Optional.empty());
  }

  /**
   * The table of a route as far as it can be told without the source's catalog. What is missing is
   * a comment, which makes the statement fail when it is run as it is.
   */
  public static ReplicaTable unresolved(Route route) {
    return switch (route) {
      case DocumentRoute document -> of(RouteResolver.resolve(document));
      case TableRoute table -> unresolved(table);
    };
  }

  private static ReplicaTable unresolved(TableRoute route) {
    List<String> key = new ArrayList<>();
    List<ReplicaColumn> own = new ArrayList<>();
    for (String name : route.key()) {
      if (Optional.of(name).equals(route.tenant())) {
        continue;
      }
      Optional<ColumnMapping> declared =
          route.columns().stream().filter(column -> mapsPlainly(column, name)).findFirst();
      key.add(declared.map(ColumnMapping::name).orElse(name));
      if (declared.isEmpty()) {
        own.add(new ReplicaColumn(name, unknownType(route, name), true));
      }
    }
    for (ColumnMapping column : route.columns()) {
      String type =
          column
              .type()
              .map(declared -> declared.sql())
              .orElseGet(
                  () ->
                      column.from().tail().isEmpty()
                          ? unknownType(route, column.from().head())
                          : "text");
      own.add(new ReplicaColumn(column.name(), type, key.contains(column.name())));
    }
    Optional<String> unknownKey =
        route.key().isEmpty()
            ? Optional.of(comment("the primary key of " + route.table() + " on the source"))
            : Optional.empty();
    return of(route, own, key, unknownKey);
  }

  private static ReplicaTable of(
      Route route, List<ReplicaColumn> own, List<String> key, Optional<String> unknownKey) {
    List<ReplicaColumn> columns = new ArrayList<>();
    columns.add(TENANT);
    columns.addAll(own);
    columns.addAll(BOOKKEEPING);
    return new ReplicaTable(new TableName("public", route.target()), columns, key, unknownKey);
  }

  private static boolean mapsPlainly(ColumnMapping column, String source) {
    return column.from().segments().equals(List.of(source)) && column.transform() == Transform.NONE;
  }

  private static String unknownType(TableRoute route, String column) {
    return comment("type of " + route.table() + "." + column + " on the source");
  }

  /** A comment that no name can end early. */
  private static String comment(String text) {
    return "/* " + text.replace("/*", "/ *").replace("*/", "* /") + " */";
  }

  /** Columns that cannot be changed in place: rows are found, fenced and dated by them. */
  boolean fixed(ReplicaColumn column) {
    return column.equals(TENANT) || BOOKKEEPING.contains(column) || key.contains(column.name());
  }

  List<String> primaryKey() {
    return Stream.concat(Stream.of(TENANT.name()), key.stream()).toList();
  }

  String createSql() {
    Stream<String> definitions =
        columns.stream()
            .flatMap(
                column ->
                    column.equals(TENANT)
                        ? Stream.concat(
                            Stream.of(column.definition()),
                            unknownKey.stream().map(key -> key + " not null"))
                        : Stream.of(column.definition()));
    String primaryKey =
        Sql.identifiers(primaryKey()) + unknownKey.map(comment -> ", " + comment).orElse("");
    return Stream.concat(definitions, Stream.of("primary key (" + primaryKey + ")"))
        .collect(Collectors.joining(",\n  ", "create table " + name.sql() + " (\n  ", "\n)"));
  }
}
