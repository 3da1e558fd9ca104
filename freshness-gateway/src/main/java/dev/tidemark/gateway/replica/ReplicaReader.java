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
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Runs the one statement of a read. Thread-safe. */
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
      Gate.Sight sight, List<String> rows, Optional<Cursor> next, Optional<String> quarantined) {}

  /**
   * Reads under a tenant.
   *
   * @param partition whose watermark the read depends on
   * @param required rows come when the watermark has reached it; asked for when a connection is
   *     there and the statement is about to be sent
   * @param turn how long to wait for a connection
   */
  Page read(
      ReplicaTable table,
      ReadRequest request,
      String tenant,
      int partition,
      Supplier<Lsn> required,
      Duration turn)
      throws SQLException {
    Database.Work<Page> work =
        connection ->
            run(
                connection,
                ReadSql.of(table, request, tenant, pipeline, partition, required.get(), 1),
                table,
                request.limit());
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

  private static Page run(Connection connection, ReadSql sql, ReplicaTable table, int limit)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql.text())) {
      for (int i = 0; i < sql.parameters().size(); i++) {
        statement.setString(i + 1, sql.parameters().get(i));
      }
      try (ResultSet result = statement.executeQuery()) {
        return page(result, table, limit);
      }
    }
  }

  private static Page page(ResultSet result, ReplicaTable table, int limit) throws SQLException {
    Gate.Sight sight = Gate.Sight.NOTHING;
    List<String> rows = new ArrayList<>();
    List<@Nullable String> last = List.of();
    boolean more = false;
    String quarantined = null;
    while (result.next()) {
      sight =
          new Gate.Sight(
              Lsn.parse(result.getString(1)),
              result.getInt(2),
              result.getString(3),
              result.getBoolean(4));
      quarantined = result.getString(ReadSql.GATE_COLUMNS - 1);
      if (result.getString(ReadSql.GATE_COLUMNS) == null) {
        break;
      }
      if (rows.size() == limit) {
        more = true;
        break;
      }
      last = values(result, table.columns().size());
      StringBuilder json = new StringBuilder();
      RowJson.append(json, table.columns(), last);
      rows.add(json.toString());
    }
    return new Page(
        sight,
        rows,
        more ? Optional.of(cursor(table, last)) : Optional.empty(),
        Optional.ofNullable(quarantined));
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
