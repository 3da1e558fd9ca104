package dev.tidemark.gateway.sync;

import dev.tidemark.gateway.db.Database;
import dev.tidemark.topics.Lsn;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/** Reads the watermark table of one pipeline. Thread-safe. */
public final class Watermarks {

  /** A projector that has said nothing for this long does not report. */
  public static final int REPORTING_SECONDS = 70;

  private static final String ALL =
      "select partition, generation, history, lsn::text, events, lag_ms,"
          + " (commit_time at time zone 'UTC')::text || '+00',"
          + " (updated_at at time zone 'UTC')::text || '+00',"
          + " reported_at > now() - make_interval(secs => "
          + REPORTING_SECONDS
          + "), stopped, stopped_key, quarantined, snapshot_rows from public.tidemark_watermark where pipeline = ? order by partition";

  private static final String GENERATION =
      "select max(generation) from public.tidemark_watermark where pipeline = ? and history = ?";

  private final Database replica;
  private final String pipeline;

  public Watermarks(Database replica, String pipeline) {
    this.replica = replica;
    this.pipeline = pipeline;
  }

  /** All partitions, in order. */
  public List<PartitionState> read() throws SQLException {
    return replica.call(this::read);
  }

  /** A connection of one's own, to read on without waiting for the pool. */
  Connection connect() throws SQLException {
    return replica.dedicated();
  }

  /** All partitions, in order. */
  List<PartitionState> read(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(ALL)) {
      statement.setString(1, pipeline);
      try (ResultSet rows = statement.executeQuery()) {
        List<PartitionState> states = new ArrayList<>();
        while (rows.next()) {
          states.add(state(rows));
        }
        return states;
      }
    }
  }

  /** The generation that some partition is in under this history's name; empty when none is. */
  public OptionalInt generationOf(String history) throws SQLException {
    return replica.call(
        connection -> {
          try (PreparedStatement statement = connection.prepareStatement(GENERATION)) {
            statement.setString(1, pipeline);
            statement.setString(2, history);
            try (ResultSet row = statement.executeQuery()) {
              row.next();
              int generation = row.getInt(1);
              return row.wasNull() ? OptionalInt.empty() : OptionalInt.of(generation);
            }
          }
        });
  }

  private static PartitionState state(ResultSet row) throws SQLException {
    long lag = row.getLong(6);
    Long lagMs = row.wasNull() ? null : lag;
    return new PartitionState(
        row.getInt(1),
        row.getInt(2),
        row.getString(3),
        Lsn.parse(row.getString(4)),
        row.getLong(5),
        lagMs,
        row.getString(7),
        row.getString(8),
        row.getBoolean(9),
        row.getString(10),
        row.getString(11),
        row.getLong(12),
        row.getLong(13));
  }
}
