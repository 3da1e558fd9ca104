package dev.tidemark.projector.replica;

import dev.tidemark.projector.row.ReplicaTable;
import dev.tidemark.projector.row.RowOperation;
import dev.tidemark.topics.Lsn;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What one partition has set aside, in {@code tidemark_quarantine}, inside the caller's
 * transaction. An entry goes when a later change of its key could be written, with its table's rows
 * or with its generation. How many there are is kept in the watermark row, so that readers need to
 * look only where there are some. Not thread-safe.
 */
final class Quarantine {

  private final Connection connection;
  private final RowWriter rows;
  private final String pipeline;
  private final int partition;
  private final Set<String> pendingTenants = new HashSet<>();
  private long committed;
  private long current;

  Quarantine(Connection connection, RowWriter rows, String pipeline, int partition, long count) {
    this.connection = connection;
    this.rows = rows;
    this.pipeline = pipeline;
    this.partition = partition;
    this.committed = count;
    this.current = count;
  }

  /** How many entries there are. */
  long count() {
    return current;
  }

  void add(Quarantined change) throws SQLException {
    rows.register(change.key().tenant());
    rows.bind(change.key().tenant());
    try (PreparedStatement insert =
        connection.prepareStatement(
            "insert into public.tidemark_quarantine (pipeline, target, partition, tenant_id, key, reason,"
                + " operation, change, source_lsn, log_offset, generation)"
                + " values (?, ?, ?, ?, ?, ?, ?, ?, ?::pg_lsn, ?, ?)")) {
      int index = 0;
      insert.setString(++index, pipeline);
      insert.setString(++index, change.key().table().target());
      insert.setInt(++index, partition);
      insert.setString(++index, change.key().tenant());
      insert.setArray(++index, array(change.key().values()));
      insert.setString(++index, change.reason());
      insert.setString(++index, change.operation());
      insert.setString(++index, change.change());
      insert.setString(++index, change.lsn().toString());
      insert.setLong(++index, change.offset());
      insert.setInt(++index, change.generation());
      insert.executeUpdate();
    }
    current++;
    if (change.lsn().equals(Replica.PENDING)) {
      pendingTenants.add(change.key().tenant());
    }
  }

  /** Removes the entries whose rows the operation, which was written, has settled. */
  void written(RowOperation operation) throws SQLException {
    if (current == 0) {
      return;
    }
    switch (operation) {
      case RowOperation.Upsert upsert -> remove(upsert.table(), upsert.tenant(), upsert.row());
      case RowOperation.Delete delete -> remove(delete.table(), delete.tenant(), delete.key());
      case RowOperation.Move move -> {
        remove(move.table(), move.oldTenant(), move.key());
        remove(move.table(), move.tenant(), move.row());
      }
      case RowOperation.Truncate truncate -> removeBefore(truncate.table(), Integer.MAX_VALUE);
      case RowOperation.Patch patch -> {
        // Found its row, so that nothing is set aside for it.
      }
    }
  }

  /** Removes the entry of a key, if there is one. */
  void remove(ReplicaTable table, String tenant, Map<String, @Nullable String> row)
      throws SQLException {
    if (current == 0) {
      return;
    }
    rows.bind(tenant);
    try (PreparedStatement delete =
        connection.prepareStatement(
            "delete from public.tidemark_quarantine"
                + " where pipeline = ? and target = ? and tenant_id = ? and key = ?")) {
      delete.setString(1, pipeline);
      delete.setString(2, table.target());
      delete.setString(3, tenant);
      delete.setArray(
          4, array(table.key().stream().map(column -> String.valueOf(row.get(column))).toList()));
      current -= delete.executeUpdate();
    }
  }

  /** Removes the entries of a table that older generations left. */
  void removeBefore(ReplicaTable table, int generation) throws SQLException {
    if (current == 0) {
      return;
    }
    for (String tenant : rows.tenants()) {
      rows.bind(tenant);
      try (PreparedStatement delete =
          connection.prepareStatement(
              "delete from public.tidemark_quarantine where pipeline = ? and target = ?"
                  + " and tenant_id = ? and partition = ? and generation < ?")) {
        delete.setString(1, pipeline);
        delete.setString(2, table.target());
        delete.setString(3, tenant);
        delete.setInt(4, partition);
        delete.setInt(5, generation);
        current -= delete.executeUpdate();
      }
    }
  }

  /** Gives the entries of a transaction of several parts its position. */
  void settle(Lsn commitLsn) throws SQLException {
    for (String tenant : pendingTenants) {
      rows.bind(tenant);
      try (PreparedStatement update =
          connection.prepareStatement(
              "update public.tidemark_quarantine set source_lsn = ?::pg_lsn"
                  + " where pipeline = ? and tenant_id = ? and source_lsn = ?::pg_lsn")) {
        update.setString(1, commitLsn.toString());
        update.setString(2, pipeline);
        update.setString(3, tenant);
        update.setString(4, Replica.PENDING.toString());
        update.executeUpdate();
      }
    }
    pendingTenants.clear();
  }

  void committed() {
    committed = current;
  }

  void rolledBack() {
    current = committed;
    pendingTenants.clear();
  }

  /** Goes back to the count at a point of the transaction. */
  void undone(long countThen) {
    current = countThen;
  }

  private Array array(List<String> values) throws SQLException {
    return connection.createArrayOf("text", values.toArray());
  }
}
