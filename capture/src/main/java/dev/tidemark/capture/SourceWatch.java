package dev.tidemark.capture;

import dev.tidemark.capture.state.SourceTable;
import dev.tidemark.capture.state.SourceTable.Column;
import dev.tidemark.capture.state.SourceTable.Part;
import dev.tidemark.capture.state.SourceTables;
import dev.tidemark.topics.route.DocumentRoute;
import dev.tidemark.topics.route.Route;
import dev.tidemark.topics.route.RouteFile;
import dev.tidemark.topics.route.TableName;
import dev.tidemark.topics.route.TableRoute;
import dev.tidemark.topics.schema.ResolvedRoute;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.stream.Collectors;

/**
 * Reads {@link SourceTables} in one short query, again and again, over a connection of its own.
 * Used by one thread at a time.
 */
final class SourceWatch implements AutoCloseable {

  /** Planning the query takes several times as long as running it, and its plan never changes. */
  static final String SESSION_SETTINGS = "-c plan_cache_mode=force_generic_plan";

  private static final List<String> DOCUMENT_COLUMNS =
      List.of("tenant_id", "doctype", "name", "data");

  /**
   * A partition is born as one when no statement touched its columns after the one that made the
   * table; a default, which is stored by a second step of that statement, says nothing.
   */
  private static final String QUERY =
      """
      select w.schema, w.name, coalesce(c.oid, 0) as oid, coalesce(r.oid, 0) as published,
             p.oid || ' ' || p.pubinsert || p.pubupdate || p.pubdelete || p.pubtruncate || p.pubviaroot as publication,
             c.relreplident::text || coalesce((select ' ' || i.indexrelid from pg_index i
                                          where i.indrelid = c.oid and i.indisreplident), '') as identity,
             coalesce(c.relfilenode, 0) as file, a.attname,
             a.attnum || ' ' || format_type(a.atttypid, a.atttypmod) || ' ' || a.attcollation as definition,
             a.xmin::text as version,
             case when c.relhassubclass then array(
               with recursive part as (
                 select i.inhrelid as oid from pg_inherits i where i.inhparent = c.oid
                 union all
                 select i.inhrelid from pg_inherits i join part on i.inhparent = part.oid)
               select part.oid || ' ' || k.relreplident::text || ' ' || k.relfilenode || case when k.relkind = 'r' and k.relpersistence = 'p' and exists (
                        select from pg_attribute own join pg_attribute sys on sys.attrelid = own.attrelid
                         where own.attrelid = part.oid and own.attnum > 0 and not own.atthasdef
                           and sys.attnum = -1 and own.xmin = sys.xmin and own.cmin = sys.cmin)
                      then ' born' else '' end
                 from part join pg_class k on k.oid = part.oid where k.relkind <> 'p' order by part.oid) end as parts
        from unnest(?::text[], ?::text[], ?::text[]) w(schema, name, attname)
        left join pg_namespace n on n.nspname = w.schema
        left join pg_class c on c.relnamespace = n.oid and c.relname = w.name
        left join pg_attribute a on a.attrelid = c.oid and a.attname = w.attname
                                and a.attnum > 0 and not a.attisdropped
        left join pg_publication p on p.pubname = ?
        left join pg_publication_rel r on r.prpubid = p.oid and r.prrelid = c.oid
                                      and r.prqual is null and r.prattrs is null""";

  private final RouteFile routes;
  private final Connection connection;
  private final PreparedStatement query;

  /**
   * A watch over what the routes read.
   *
   * @param connection closed with it
   * @param resolved the file's routes, resolved against the same source
   */
  SourceWatch(Connection connection, RouteFile routes, List<ResolvedRoute> resolved)
      throws SQLException {
    this.routes = routes;
    this.connection = connection;
    List<TableName> names = new ArrayList<>();
    List<String> columns = new ArrayList<>();
    watched(routes, resolved)
        .forEach(
            (table, read) -> {
              for (String column : read) {
                names.add(table);
                columns.add(column);
              }
            });
    this.query = connection.prepareStatement(QUERY);
    query.setArray(1, texts(connection, names.stream().map(TableName::schema).toList()));
    query.setArray(2, texts(connection, names.stream().map(TableName::name).toList()));
    query.setArray(3, texts(connection, columns));
    query.setString(4, routes.publication());
  }

  private static Array texts(Connection connection, List<String> texts) throws SQLException {
    return connection.createArrayOf("text", texts.toArray());
  }

  private static Map<TableName, SequencedSet<String>> watched(
      RouteFile routes, List<ResolvedRoute> resolved) {
    Map<TableName, SequencedSet<String>> columns = new LinkedHashMap<>();
    columns.put(routes.documents(), new LinkedHashSet<>(DOCUMENT_COLUMNS));
    for (ResolvedRoute each : resolved) {
      if (each.route() instanceof TableRoute route) {
        SequencedSet<String> read =
            columns.computeIfAbsent(route.table(), table -> new LinkedHashSet<>());
        route.tenant().ifPresent(read::add);
        each.key().forEach(column -> read.add(column.from().head()));
        each.columns().forEach(column -> read.add(column.from().head()));
      }
    }
    return columns;
  }

  /** What the catalog says now. */
  SourceTables read() throws SQLException {
    Map<String, SourceTable> tables = new LinkedHashMap<>();
    String publication = "";
    try (ResultSet row = query.executeQuery()) {
      while (row.next()) {
        publication = Optional.ofNullable(row.getString("publication")).orElse("");
        tables.merge(
            new TableName(row.getString("schema"), row.getString("name")).toString(),
            table(row),
            SourceWatch::joined);
      }
    }
    return new SourceTables(publication, tables);
  }

  private static SourceTable table(ResultSet row) throws SQLException {
    String column = row.getString("attname");
    List<Part> parts = new ArrayList<>();
    Array found = row.getArray("parts");
    if (found != null) {
      for (String part : (String[]) found.getArray()) {
        String[] words = part.split(" ");
        parts.add(
            new Part(
                Long.parseLong(words[0]), words[1], Long.parseLong(words[2]), words.length > 3));
      }
    }
    return new SourceTable(
        row.getLong("oid"),
        row.getLong("published"),
        Optional.ofNullable(row.getString("identity")).orElse(""),
        row.getLong("file"),
        column == null
            ? List.of()
            : List.of(new Column(column, row.getString("definition"), row.getString("version"))),
        parts);
  }

  private static SourceTable joined(SourceTable left, SourceTable right) {
    List<Column> columns = new ArrayList<>(left.columns());
    columns.addAll(right.columns());
    return new SourceTable(
        left.oid(), left.published(), left.identity(), left.file(), columns, left.parts());
  }

  /** The routes that read a table, for people; of the publication, which has no table, all. */
  String routesOf(String table) {
    return routes.routes().stream()
        .filter(route -> table.isEmpty() || table.equals(source(route).toString()))
        .map(Route::target)
        .collect(Collectors.joining(", "));
  }

  private TableName source(Route route) {
    return switch (route) {
      case DocumentRoute document -> routes.documents();
      case TableRoute table -> table.table();
    };
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
