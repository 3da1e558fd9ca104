package dev.tidemark.gateway.replica;

import dev.tidemark.gateway.db.Database;
import dev.tidemark.gateway.db.SqlFailures;
import dev.tidemark.topics.Lsn;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Runs the one statement of a read, or of several at once. Thread-safe. */
final class ReplicaReader {

  private final Database replica;
  private final String pipeline;

  ReplicaReader(Database replica, String pipeline) {
    this.replica = replica;
    this.pipeline = pipeline;
  }

  /**
   * What one snapshot showed.
   *
   * @param sight the watermark
   * @param rows JSON objects; empty when the gate is shut
   * @param next where the next page begins, when there is one
   * @param quarantined a JSON array of the keys that are set aside, when there are some
   */
  record Page(
      Gate.Sight sight, List<String> rows, Optional<Cursor> next, Optional<String> quarantined) {

    /** Where there is no watermark. */
    static final Page NOTHING =
        new Page(Gate.Sight.NOTHING, List.of(), Optional.empty(), Optional.empty());
  }

  /**
   * Whose rows of what, and the watermark that they depend on.
   *
   * @param partition of the watermark
   */
  record Scope(ReplicaTable table, String tenant, int partition) {

    /** The very table: after a reload of the catalog its columns may be others. */
    @Override
    public boolean equals(Object other) {
      return other instanceof Scope scope
          && scope.table == table
          && scope.tenant.equals(tenant)
          && scope.partition == partition;
    }

    @Override
    public int hashCode() {
      return System.identityHashCode(table) * 31 + tenant.hashCode();
    }
  }

  /**
   * Reads the rows of a request.
   *
   * @param required rows come when the watermark has reached it; asked for when a connection is
   *     there and the statement is about to be sent
   * @param turn how long to wait for a connection
   */
  Page read(Scope scope, ReadRequest request, Supplier<Lsn> required, Duration turn)
      throws SQLException {
    return call(
        connection -> {
          ReadSql sql =
              ReadSql.of(
                  scope.table(),
                  request,
                  scope.tenant(),
                  pipeline,
                  scope.partition(),
                  required.get(),
                  1);
          try (PreparedStatement statement = prepared(connection, sql);
              ResultSet result = statement.executeQuery()) {
            return page(result, scope.table(), request.limit());
          }
        },
        turn);
  }

  /**
   * Rows that are asked for by their keys.
   *
   * @param values of the key, at least one, each once
   * @param required rows come when the watermark has reached it
   */
  record Keys(List<String> values, Lsn required) {}

  /**
   * Reads rows by their keys, for a table whose key is one column.
   *
   * @param keys asked for when a connection is there and the statement is about to be sent
   * @param turn how long to wait for a connection
   * @return a page for each key
   */
  Map<String, Page> rows(Scope scope, Supplier<Keys> keys, Duration turn) throws SQLException {
    return call(
        connection -> {
          Keys asked = keys.get();
          ReadSql sql =
              ReadSql.ofKeys(
                  scope.table(),
                  asked.values(),
                  scope.tenant(),
                  pipeline,
                  scope.partition(),
                  asked.required());
          try (PreparedStatement statement = prepared(connection, sql);
              ResultSet result = statement.executeQuery()) {
            return pages(result, scope.table(), asked.values());
          }
        },
        turn);
  }

  private <T> T call(Database.Work<T> work, Duration turn) throws SQLException {
    try {
      return replica.call(work, turn);
    } catch (SQLException e) {
      if (!SqlFailures.connectionLost(e)) {
        throw e;
      }
      // The server closed an idle connection, or has just come back: a read may be sent again.
      return replica.call(work, turn);
    }
  }

  private static PreparedStatement prepared(Connection connection, ReadSql sql)
      throws SQLException {
    PreparedStatement statement = connection.prepareStatement(sql.text());
    for (int i = 0; i < sql.parameters().size(); i++) {
      statement.setString(i + 1, sql.parameters().get(i));
    }
    return statement;
  }

  private static Map<String, Page> pages(ResultSet result, ReplicaTable table, List<String> values)
      throws SQLException {
    Map<String, Page> pages = HashMap.newHashMap(values.size());
    int columns = table.columns().size();
    Gate.Sight sight = Gate.Sight.NOTHING;
    while (result.next()) {
      // One watermark for all.
      sight = pages.isEmpty() ? sight(result) : sight;
      int number = result.getInt(ReadSql.GATE_COLUMNS + columns + 1);
      List<String> rows =
          result.getString(ReadSql.GATE_COLUMNS) == null
              ? List.of()
              : List.of(json(table, values(result, columns)));
      pages.put(
          values.get(number - 1),
          new Page(sight, rows, Optional.empty(), Optional.ofNullable(quarantined(result))));
    }
    // No watermark at all: no result either.
    values.forEach(value -> pages.putIfAbsent(value, Page.NOTHING));
    return pages;
  }

  private static Page page(ResultSet result, ReplicaTable table, int limit) throws SQLException {
    Gate.Sight sight = Gate.Sight.NOTHING;
    List<String> rows = new ArrayList<>();
    List<@Nullable String> last = List.of();
    boolean more = false;
    @Nullable String quarantined = null;
    while (result.next()) {
      sight = sight(result);
      quarantined = quarantined(result);
      if (result.getString(ReadSql.GATE_COLUMNS) == null) {
        break;
      }
      if (rows.size() == limit) {
        more = true;
        break;
      }
      last = values(result, table.columns().size());
      rows.add(json(table, last));
    }
    return new Page(
        sight,
        rows,
        more ? Optional.of(cursor(table, last)) : Optional.empty(),
        Optional.ofNullable(quarantined));
  }

  private static Gate.Sight sight(ResultSet result) throws SQLException {
    return new Gate.Sight(
        Lsn.parse(result.getString(1)),
        result.getInt(2),
        result.getString(3),
        result.getBoolean(4));
  }

  private static @Nullable String quarantined(ResultSet result) throws SQLException {
    return result.getString(ReadSql.GATE_COLUMNS - 1);
  }

  private static String json(ReplicaTable table, List<@Nullable String> values) {
    StringBuilder json = new StringBuilder();
    RowJson.append(json, table.columns(), values);
    return json.toString();
  }

  private static List<@Nullable String> values(ResultSet result, int columns) throws SQLException {
    List<@Nullable String> values = new ArrayList<>(columns);
    for (int i = 1; i <= columns; i++) {
      values.add(result.getString(ReadSql.GATE_COLUMNS + i));
    }
    return values;
  }

  /** The key columns are the first ones that readers see. */
  private static Cursor cursor(ReplicaTable table, List<@Nullable String> last) {
    List<String> key = new ArrayList<>();
    for (int i = 0; i < table.key().size(); i++) {
      key.add(java.util.Objects.requireNonNull(last.get(i)));
    }
    return new Cursor(table.target(), key);
  }
}
