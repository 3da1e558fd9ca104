package dev.tidemark.gateway.sync;

import dev.tidemark.gateway.db.Database;
import dev.tidemark.gateway.json.JsonObjectWriter;
import dev.tidemark.topics.Sessions;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The replication slot, as {@code pg_replication_slots} shows it.
 *
 * @param retainedBytes log that the source keeps for the slot
 * @param limitBytes what it may keep at most, PostgreSQL's {@code max_slot_wal_keep_size}; -1 for
 *     no limit
 * @param safeBytes what can still be written before the slot may be lost, PostgreSQL's {@code
 *     safe_wal_size}; null without a limit, and for a slot that is lost
 * @param walStatus {@code reserved}, {@code extended}, {@code unreserved} or {@code lost}
 * @param leader the instance of capture that reads it, by the application name of its session
 */
public record SlotState(
    String name,
    boolean active,
    @Nullable String restartLsn,
    @Nullable String confirmedFlushLsn,
    @Nullable Long retainedBytes,
    long limitBytes,
    @Nullable Long safeBytes,
    @Nullable String walStatus,
    @Nullable String leader) {

  private static final String SQL =
      "select active, restart_lsn::text, confirmed_flush_lsn::text,"
          + " pg_catalog.pg_wal_lsn_diff(pg_catalog.pg_current_wal_insert_lsn(), restart_lsn)::bigint,"
          + " pg_catalog.pg_size_bytes(pg_catalog.current_setting('max_slot_wal_keep_size')),"
          + " safe_wal_size, wal_status, (select substr(a.application_name, length(?) + 1)"
          + " from pg_catalog.pg_stat_activity a where a.datname = database"
          + " and starts_with(a.application_name, ?) limit 1)"
          + " from pg_catalog.pg_replication_slots where slot_name = ?";

  /** Reads it; empty when there is no such slot. */
  public static Optional<SlotState> read(Database source, String pipeline, String slot)
      throws SQLException {
    String session = Sessions.capture(pipeline, "");
    return source.call(
        connection -> {
          try (PreparedStatement statement = connection.prepareStatement(SQL)) {
            statement.setString(1, session);
            statement.setString(2, session);
            statement.setString(3, slot);
            try (ResultSet row = statement.executeQuery()) {
              return row.next() ? Optional.of(state(slot, row)) : Optional.empty();
            }
          }
        });
  }

  /** As JSON. */
  public String json() {
    return new JsonObjectWriter()
        .text("name", name)
        .value("active", active)
        .text("restartLsn", restartLsn)
        .text("confirmedFlushLsn", confirmedFlushLsn)
        .value("retainedBytes", retainedBytes)
        .value("limitBytes", limitBytes)
        .value("safeBytes", safeBytes)
        .text("walStatus", walStatus)
        .json();
  }

  private static SlotState state(String slot, ResultSet row) throws SQLException {
    return new SlotState(
        slot,
        row.getBoolean(1),
        row.getString(2),
        row.getString(3),
        number(row, 4),
        row.getLong(5),
        number(row, 6),
        row.getString(7),
        row.getString(8));
  }

  private static @Nullable Long number(ResultSet row, int column) throws SQLException {
    long value = row.getLong(column);
    return row.wasNull() ? null : value;
  }
}
