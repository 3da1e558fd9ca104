package dev.tidemark.topics.schema;

import dev.tidemark.topics.route.TableName;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The table that holds the documents of all types, on the source. */
final class DocumentTable {

  private static final List<String> KEY = List.of("tenant_id", "doctype", "name");

  private static final Map<String, String> COLUMNS = columns();

  private DocumentTable() {}

  private static Map<String, String> columns() {
    Map<String, String> columns = new LinkedHashMap<>();
    columns.put("tenant_id", "text");
    columns.put("doctype", "text");
    columns.put("name", "text");
    columns.put("data", "jsonb");
    columns.put("version", "bigint");
    columns.put("created_at", "timestamp with time zone");
    columns.put("updated_at", "timestamp with time zone");
    return columns;
  }

  static Statement create(TableName table) {
    StringBuilder sql = new StringBuilder("create table " + table.sql() + " (\n");
    COLUMNS.forEach(
        (name, type) -> sql.append("  %s %s not null,\n".formatted(Sql.identifier(name), type)));
    sql.append("  primary key (%s)\n)".formatted(Sql.identifiers(KEY)));
    return new Statement(sql.toString(), "the document table");
  }

  /** What keeps an existing table from being the document table. */
  static List<String> problems(TableInfo table) {
    List<String> problems = new ArrayList<>();
    if (!table.publishable()) {
      problems.add(
          "the document table %s is no permanent table; name another under `documents`"
              .formatted(table.name()));
    }
    COLUMNS.forEach(
        (name, type) -> {
          Optional<String> found = table.column(name).map(ColumnInfo::type);
          if (!found.equals(Optional.of(type))) {
            problems.add(
                "the document table %s needs a column %s of type %s, but has %s"
                    .formatted(table.name(), name, type, found.orElse("none of that name")));
          }
        });
    if (!table.primaryKey().equals(KEY)) {
      problems.add(
          "the document table %s needs the primary key (%s), but has (%s)"
              .formatted(
                  table.name(), String.join(", ", KEY), String.join(", ", table.primaryKey())));
    }
    return problems;
  }
}
