package dev.tidemark.topics.schema;

import dev.tidemark.topics.route.RouteFile;
import dev.tidemark.topics.route.RouteFileParser;
import dev.tidemark.topics.route.TableName;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Catalogs for tests, without a database. */
final class Tables {

  static final String HEAD = "slot: s\npublication: p\nroutes:\n";

  private Tables() {}

  static RouteFile file(String routes) {
    return RouteFileParser.parse("f", HEAD + routes);
  }

  /** A not-null column of a built-in type, such as {@code int4} or {@code _text}. */
  static ColumnInfo column(String name, String type) {
    boolean array = type.startsWith("_");
    return new ColumnInfo(
        name,
        type,
        new SourceType(array ? type.substring(1) : type, SourceType.Kind.BUILT_IN, array),
        true,
        false);
  }

  static TableInfo table(String name, List<String> primaryKey, ColumnInfo... columns) {
    List<IndexInfo> indexes = new ArrayList<>();
    if (!primaryKey.isEmpty()) {
      indexes.add(new IndexInfo(primaryKey, true, true, false));
    }
    return new TableInfo(
        new TableName("public", name),
        1,
        'r',
        true,
        List.of(columns),
        indexes,
        ReplicaIdentity.DEFAULT,
        false,
        false,
        List.of(),
        Set.of(),
        Optional.empty(),
        List.of());
  }

  static SourceCatalog catalog(TableInfo table) {
    return new SourceCatalog(
        true, Map.of(table.name(), table), Map.of(), Map.of(), Optional.empty());
  }
}
