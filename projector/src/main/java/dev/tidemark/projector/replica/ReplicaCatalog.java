package dev.tidemark.projector.replica;

import dev.tidemark.projector.row.ReplicaTable;
import dev.tidemark.topics.route.Route;
import dev.tidemark.topics.route.RouteFile;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads what the replica tables of the routes are. */
final class ReplicaCatalog {

  private static final Set<String> OWN_COLUMNS =
      Set.of("tenant_id", "source_lsn", "updated_at", "tidemark_generation");

  private ReplicaCatalog() {}

  /**
   * The replica tables by target.
   *
   * @throws IllegalStateException when the table of a route is missing
   */
  static Map<String, ReplicaTable> read(Connection connection, RouteFile routes)
      throws SQLException {
    Map<String, ReplicaTable> tables = new HashMap<>();
    for (Route route : routes.routes()) {
      tables.put(route.target(), table(connection, route.target()));
    }
    return tables;
  }

  private static ReplicaTable table(Connection connection, String target) throws SQLException {
    Map<String, String> types = new LinkedHashMap<>();
    Map<Integer, String> key = new java.util.TreeMap<>();
    try (PreparedStatement statement =
        connection.prepareStatement(
            "select a.attname, format_type(a.atttypid, null), coalesce(array_position(i.indkey::int2[], a.attnum), -1)"
                + " from pg_class c join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'"
                + " join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped"
                + " left join pg_index i on i.indrelid = c.oid and i.indisprimary"
                + " where c.relname = ? order by a.attnum")) {
      statement.setString(1, target);
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          String column = row.getString(1);
          if (OWN_COLUMNS.contains(column)) {
            continue;
          }
          types.put(column, row.getString(2));
          if (row.getInt(3) >= 0) {
            key.put(row.getInt(3), column);
          }
        }
      }
    }
    if (types.isEmpty()) {
      throw new IllegalStateException(
          "replica table "
              + target
              + " is missing: run the migration of the routes before the projector");
    }
    List<String> columns = new ArrayList<>(key.values());
    return ReplicaTable.of(target, columns, types);
  }
}
