package dev.tidemark.tests.prove.load;

import dev.tidemark.tests.prove.history.Content;
import dev.tidemark.tests.prove.history.Place;
import dev.tidemark.tests.prove.history.Row;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The same number of rows for each of several tenants, written by single statements. */
final class Rows {

  private final String table;
  private final String target;
  private final String group;
  private final List<String> tenants;
  private final int each;
  private final String note;

  Rows(String table, String target, String group, List<String> tenants, int each, String note) {
    this.table = table;
    this.target = target;
    this.group = group;
    this.tenants = List.copyOf(tenants);
    this.each = each;
    this.note = note;
  }

  Map<Place, String> state(long version) {
    Map<Place, String> state = new TreeMap<>(java.util.Comparator.comparing(Place::tenant));
    for (String tenant : tenants) {
      List<Row> rows = new ArrayList<>();
      for (int i = 1; i <= each; i++) {
        rows.add(new Row(group + "." + i, version, tenant, note));
      }
      state.put(new Place(target, tenant), Content.of(rows));
    }
    return state;
  }

  void upsert(Connection connection, long version) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "insert into "
                + table
                + " (tenant_id, id, grp, version, owner, note)"
                + " select t, ? || '.' || n, ?, ?, t, ? from unnest(?::text[]) t,"
                + " generate_series(1, ?) n"
                + " on conflict (tenant_id, id) do update set version = excluded.version,"
                + " note = excluded.note")) {
      statement.setString(1, group);
      statement.setString(2, group);
      statement.setLong(3, version);
      statement.setString(4, note);
      statement.setArray(5, connection.createArrayOf("text", tenants.toArray()));
      statement.setInt(6, each);
      statement.executeUpdate();
    }
  }

  void delete(Connection connection) throws SQLException {
    SourceSession.run(connection, "delete from " + table + " where grp = ?", group);
  }
}
