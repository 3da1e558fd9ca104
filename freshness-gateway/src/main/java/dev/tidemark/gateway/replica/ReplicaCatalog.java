package dev.tidemark.gateway.replica;

import dev.tidemark.gateway.GatewayStartException;
import dev.tidemark.gateway.db.Database;
import dev.tidemark.topics.route.ColumnMapping;
import dev.tidemark.topics.route.DocumentRoute;
import dev.tidemark.topics.route.Route;
import dev.tidemark.topics.route.RouteFile;
import dev.tidemark.topics.route.TableRoute;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The replica tables' columns and keys, from the database's catalog. Thread-safe. Read at start-up,
 * and again when a read finds that it no longer fits, at most once a second.
 */
public final class ReplicaCatalog {

  private static final long RELOAD_NANOS = 1_000_000_000L;

  private static final String COLUMNS =
      """
      select a.attname, pg_catalog.format_type(coalesce(nullif(b.typbasetype, 0), b.oid), -1),
        coalesce(e.typname, d.typname, b.typname), e.oid is not null,
        coalesce(pg_catalog.array_position(i.indkey::int2[], a.attnum), -1)
      from pg_catalog.pg_attribute a
      join pg_catalog.pg_type b on b.oid = a.atttypid
      left join pg_catalog.pg_type d on d.oid = b.typbasetype
      left join pg_catalog.pg_type e on e.oid = b.typelem and b.typcategory = 'A'
      left join pg_catalog.pg_index i on i.indrelid = a.attrelid and i.indisprimary
      where a.attrelid = pg_catalog.to_regclass('public.' || pg_catalog.quote_ident(?))
        and a.attnum > 0 and not a.attisdropped
      """;

  private final Database replica;
  private final RouteFile routes;
  private final AtomicLong loadedAt = new AtomicLong();
  private volatile Map<String, ReplicaTable> tables;

  /**
   * Reads the catalog.
   *
   * @throws GatewayStartException when a table lacks a column or a key
   */
  public ReplicaCatalog(Database replica, RouteFile routes) throws SQLException {
    this.replica = replica;
    this.routes = routes;
    this.tables = load();
  }

  /** The replica table of this name; empty when no route writes it. */
  public Optional<ReplicaTable> table(String target) {
    return Optional.ofNullable(tables.get(target));
  }

  /**
   * Reads the catalog again, unless that was done within the last second.
   *
   * @return whether it was
   */
  public boolean reload() throws SQLException {
    long last = loadedAt.get();
    if (System.nanoTime() - last < RELOAD_NANOS
        || !loadedAt.compareAndSet(last, System.nanoTime())) {
      return false;
    }
    tables = load();
    return true;
  }

  private Map<String, ReplicaTable> load() throws SQLException {
    loadedAt.set(System.nanoTime());
    return replica.call(
        connection -> {
          Map<String, ReplicaTable> found = new HashMap<>();
          for (Route route : routes.routes()) {
            found.put(route.target(), table(connection, route));
          }
          return Map.copyOf(found);
        });
  }

  private static ReplicaTable table(Connection connection, Route route) throws SQLException {
    Map<String, ReplicaColumn> columns = new LinkedHashMap<>();
    TreeMap<Integer, String> key = new TreeMap<>();
    try (PreparedStatement statement = connection.prepareStatement(COLUMNS)) {
      statement.setString(1, route.target());
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          String name = row.getString(1);
          ReplicaColumn.Kind kind = ReplicaColumn.Kind.ofType(row.getString(3));
          columns.put(name, new ReplicaColumn(name, row.getString(2), kind, row.getBoolean(4)));
          if (row.getInt(5) >= 0 && !name.equals("tenant_id")) {
            key.put(row.getInt(5), name);
          }
        }
      }
    }
    return shape(route, columns, List.copyOf(key.values()));
  }

  /** Key columns first, then the declared ones, then what every replica table has. */
  static ReplicaTable shape(Route route, Map<String, ReplicaColumn> found, List<String> key) {
    List<String> shown = new ArrayList<>(key);
    route.columns().stream()
        .map(ColumnMapping::name)
        .filter(name -> !shown.contains(name))
        .forEach(shown::add);
    shown.add("source_lsn");
    shown.add("updated_at");
    List<String> missing = shown.stream().filter(name -> !found.containsKey(name)).toList();
    if (key.isEmpty() || !missing.isEmpty()) {
      throw new GatewayStartException(
          "replica table public."
              + route.target()
              + (key.isEmpty() ? " has no primary key" : " lacks " + String.join(", ", missing))
              + "; run the replica plan of the route file",
          null);
    }
    boolean tenantBound =
        switch (route) {
          case DocumentRoute document -> true;
          case TableRoute table -> table.tenant().isPresent();
        };
    return new ReplicaTable(
        route,
        tenantBound,
        shown.stream().map(found::get).toList(),
        key.stream().map(found::get).toList());
  }
}
