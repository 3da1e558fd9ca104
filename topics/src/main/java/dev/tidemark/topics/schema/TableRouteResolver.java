package dev.tidemark.topics.schema;

import dev.tidemark.topics.route.ColumnMapping;
import dev.tidemark.topics.route.ColumnType;
import dev.tidemark.topics.route.NameRules;
import dev.tidemark.topics.route.SourcePath;
import dev.tidemark.topics.route.TableRoute;
import dev.tidemark.topics.route.Transform;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Resolves one table route against its table. Used once, by one thread. */
final class TableRouteResolver {

  private final TableRoute route;
  private final List<String> problems;

  TableRouteResolver(TableRoute route, List<String> problems) {
    this.route = route;
    this.problems = problems;
  }

  void report(String problem) {
    problems.add("route " + route.target() + ": " + problem);
  }

  /** Empty when something was reported. */
  Optional<ResolvedRoute> resolve(TableInfo table) {
    int before = problems.size();
    checkTable(table);
    route.tenant().ifPresent(tenant -> source(table, tenant, "the tenant column"));
    List<ResolvedColumn> columns =
        route.columns().stream().flatMap(column -> column(table, column).stream()).toList();
    List<ResolvedColumn> key =
        key(table).stream().flatMap(name -> keyColumn(table, name, columns).stream()).toList();
    return problems.size() == before
        ? Optional.of(new ResolvedRoute(route, key, columns))
        : Optional.empty();
  }

  private void checkTable(TableInfo table) {
    if (!table.publishable()) {
      report(
          table.name()
              + " is a view, a foreign table, or unlogged; a route takes an ordinary or partitioned table");
    }
    if (table.inherited()) {
      report(
          ("%s is inherited by %s, whose rows would be in the snapshot and missing in the stream;"
                  + " route the children, or make it a partitioned table")
              .formatted(table.name(), names(table.leaves())));
    } else {
      List<TableInfo> lacking =
          table.leaves().stream().filter(leaf -> !leaf.publishable()).toList();
      if (!lacking.isEmpty()) {
        report(
            ("the partition %s of %s is a foreign table or unlogged, so its rows would be in the"
                    + " snapshot and missing in the stream; detach it")
                .formatted(names(lacking), table.name()));
      }
    }
    Map<String, String> folded = new HashMap<>();
    for (ColumnInfo column : table.columns()) {
      String first = folded.putIfAbsent(column.name().toLowerCase(Locale.ROOT), column.name());
      if (first != null) {
        report(
            ("the columns `%s` and `%s` of %s differ in case alone, which Debezium cannot capture;"
                    + " rename one of them")
                .formatted(first, column.name(), table.name()));
      }
    }
    if (table.rowSecurity()) {
      table.policies().stream()
          .filter(policy -> policy.restrictsReadsOf(Roles.CAPTURE.roleName()))
          .forEach(
              policy ->
                  report(
                      ("the restrictive policy %s of %s hides rows from capture's snapshot; limit it"
                              + " to other roles than tidemark_capture")
                          .formatted(policy.name(), table.name())));
    }
  }

  private static String names(List<TableInfo> tables) {
    return String.join(", ", tables.stream().map(table -> table.name().toString()).toList());
  }

  /** A column that the stream carries. */
  private Optional<ColumnInfo> source(TableInfo table, String name, String what) {
    Optional<ColumnInfo> found = table.column(name);
    if (found.isEmpty()) {
      report(
          "%s `%s` does not exist in %s (it has: %s)"
              .formatted(
                  what,
                  name,
                  table.name(),
                  String.join(", ", table.columns().stream().map(ColumnInfo::name).toList())));
    } else if (found.get().generated()) {
      report(
          ("%s `%s` of %s is generated and not published: it would be right in the snapshot and"
                  + " missing in the stream; map the columns that it is computed from")
              .formatted(what, name, table.name()));
      return Optional.empty();
    }
    return found;
  }

  private Optional<ResolvedColumn> column(TableInfo table, ColumnMapping column) {
    Optional<ColumnInfo> source = source(table, column.from().head(), "column");
    if (source.isEmpty()) {
      return Optional.empty();
    }
    ColumnInfo info = source.get();
    SourceType type = info.sourceType();
    boolean path = !column.from().tail().isEmpty();
    if (path && !type.json()) {
      report(
          "`%s` leads into the column `%s`, which is %s and not json or jsonb"
              .formatted(column.from(), info.name(), info.type()));
      return Optional.empty();
    }
    if (path) {
      return Optional.of(RouteResolver.resolve(column, ColumnType.TEXT));
    }
    if (column.transform() == Transform.LENGTH) {
      if (!type.measurable()) {
        report(
            "`length` of the column `%s`, which is %s; it takes json, jsonb, an array or a text"
                .formatted(info.name(), info.type()));
      }
      return Optional.of(RouteResolver.resolve(column, ColumnType.TEXT));
    }
    return type(info, column.type())
        .map(found -> new ResolvedColumn(column.name(), column.from(), Transform.NONE, found));
  }

  private Optional<ColumnType> type(ColumnInfo source, Optional<ColumnType> declared) {
    Optional<ColumnType> plain = source.sourceType().plain();
    if (declared.isEmpty()) {
      if (plain.isEmpty()) {
        report(
            ("the column `%s` is of type %s, which is no type of a replica table; declare `type: %s`"
                    + " (types: %s)")
                .formatted(
                    source.name(),
                    source.type(),
                    source.sourceType().json() ? "jsonb` or `type: text" : "text",
                    ColumnType.allowed()));
      }
      return plain;
    }
    if (!source.sourceType().fits(declared.get())) {
      report(
          "the column `%s` is of type %s, which does not fit the declared type %s; declare `type: text`"
              .formatted(source.name(), source.type(), declared.get().sql()));
    }
    return declared;
  }

  /** The source columns of the key, without the tenant's. */
  private List<String> key(TableInfo table) {
    List<String> named = route.key().isEmpty() ? table.primaryKey() : route.key();
    if (named.isEmpty()) {
      report(
          "%s has no primary key; name the columns of a unique index over not-null columns under `key`"
              .formatted(table.name()));
      return List.of();
    }
    List<String> key =
        named.stream().filter(name -> !Optional.of(name).equals(route.tenant())).toList();
    if (key.isEmpty()) {
      report("the key is the tenant column alone; a replica table needs a column beside it");
    }
    checkUnique(table, key);
    return key;
  }

  private void checkUnique(TableInfo table, List<String> key) {
    for (String name : key) {
      if (table.column(name).map(column -> !column.notNull()).orElse(false)) {
        report(
            "the key column `%s` of %s may be null; alter table %s alter column %s set not null"
                .formatted(name, table.name(), table.name().sql(), Sql.identifier(name)));
      }
    }
    Set<String> identifying = new HashSet<>(key);
    route.tenant().ifPresent(identifying::add);
    List<IndexInfo> unique =
        table.uniqueIndexes().stream()
            .filter(index -> identifying.containsAll(index.columns()))
            .toList();
    if (unique.isEmpty()) {
      report(
          ("no unique index of %s covers the key (%s); several rows would share one row of the"
                  + " replica: create one, or choose another key")
              .formatted(table.name(), String.join(", ", key)));
    } else if (unique.stream().noneMatch(IndexInfo::immediate)) {
      // Rows that pass each other under one key cannot be told apart by it.
      report(
          ("the key (%s) of %s is unique at the end of a transaction only; make its constraint not"
                  + " deferrable, or choose another key")
              .formatted(String.join(", ", key), table.name()));
    }
  }

  private Optional<ResolvedColumn> keyColumn(
      TableInfo table, String name, List<ResolvedColumn> columns) {
    Optional<ColumnInfo> source = source(table, name, "the key column");
    if (source.isEmpty()) {
      return Optional.empty();
    }
    Optional<ResolvedColumn> declared =
        columns.stream()
            .filter(column -> column.plain() && column.from().head().equals(name))
            .findFirst();
    if (declared.isPresent()) {
      if (!source.get().sourceType().keepsKeysApart(declared.get().type())) {
        report(
            "the key column `%s` is of type %s and declared as %s, in which two keys may become one"
                .formatted(name, source.get().type(), declared.get().type().sql()));
      }
      return declared;
    }
    boolean declares =
        route.columns().stream()
            .anyMatch(
                column ->
                    column.from().equals(new SourcePath(List.of(name)))
                        && column.transform() == Transform.NONE);
    if (declares) {
      return Optional.empty();
    }
    boolean taken = columns.stream().anyMatch(column -> column.name().equals(name));
    Optional<String> broken =
        taken ? Optional.of("the route has another column of that name") : NameRules.column(name);
    broken.ifPresent(
        rule ->
            report(
                ("the key column `%s` cannot keep its name in the replica table (%s); declare it"
                        + " under another: { name: ..., from: [%s] }")
                    .formatted(name, rule, name)));
    return type(source.get(), Optional.empty())
        .map(type -> new ResolvedColumn(name, new SourcePath(List.of(name)), Transform.NONE, type));
  }
}
