package dev.tidemark.projector.replica;

import dev.tidemark.projector.row.ReplicaTable;
import dev.tidemark.projector.row.RowException;
import dev.tidemark.projector.row.RowOperation;
import dev.tidemark.topics.Lsn;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Executes row operations inside the caller's transaction, with the row's tenant bound for
 * row-level security. Equal statements that follow each other travel as one batch. Not thread-safe.
 */
final class RowWriter implements AutoCloseable {

  private static final int MAX_BATCH = 500;

  private final Connection connection;
  private final String pipeline;
  private final int partition;
  private final Map<String, PreparedStatement> statements = new HashMap<>();
  private final Set<String> knownTenants = new HashSet<>();
  private final Set<String> newTenants = new HashSet<>();
  private final Set<PendingRows> pending = new LinkedHashSet<>();
  private final PreparedStatement bindTenant;
  private final PreparedStatement addTenant;

  private String boundTenant = "";
  private @Nullable PreparedStatement batch;
  private boolean batchMustHit;
  private String batchTarget = "";
  private int batched;
  private long missedDeletes;

  /** Where rows with the position {@link #Replica.PENDING} are. */
  private record PendingRows(ReplicaTable table, String tenant) {}

  RowWriter(Connection connection, String pipeline, int partition) throws SQLException {
    this.connection = connection;
    this.pipeline = pipeline;
    this.partition = partition;
    this.bindTenant = connection.prepareStatement("select set_config('tidemark.tenant', ?, true)");
    this.addTenant =
        connection.prepareStatement(
            "insert into public.tidemark_tenant (pipeline, partition, tenant_id) values (?, ?, ?) on conflict do"
                + " nothing");
  }

  /** Executes, or adds to the batch. {@link #flush} must follow before the transaction commits. */
  void execute(RowOperation operation, Lsn lsn, int generation) throws SQLException {
    switch (operation) {
      case RowOperation.Upsert upsert ->
          upsert(upsert.table(), upsert.tenant(), upsert.row(), lsn, generation);
      case RowOperation.Patch patch -> patch(patch, lsn, generation);
      case RowOperation.Delete delete -> delete(delete.table(), delete.tenant(), delete.key());
      case RowOperation.Move move -> move(move, lsn, generation);
      case RowOperation.Truncate truncate -> {
        for (String tenant : tenants()) {
          deleteTenant(truncate.table(), tenant, RowSql.deleteAll(truncate.table()), 0);
        }
      }
    }
  }

  /** Removes the rows that the generation's snapshot did not bring. */
  void deleteOlder(ReplicaTable table, int generation) throws SQLException {
    for (String tenant : tenants()) {
      deleteTenant(table, tenant, RowSql.deleteOlder(table), generation);
    }
  }

  /** Gives the rows that were written at {@link #Replica.PENDING} their transaction's position. */
  void settle(Lsn commitLsn) throws SQLException {
    for (PendingRows rows : pending) {
      flush();
      bind(rows.tenant());
      PreparedStatement statement = prepared(RowSql.settle(rows.table()));
      statement.setString(1, commitLsn.toString());
      statement.setString(2, rows.tenant());
      statement.setString(3, Replica.PENDING.toString());
      statement.executeUpdate();
    }
    pending.clear();
  }

  /** Sends what is batched. */
  void flush() throws SQLException {
    PreparedStatement current = batch;
    if (current == null) {
      return;
    }
    batch = null;
    batched = 0;
    int[] counts = current.executeBatch();
    for (int count : counts) {
      if (count == 0 && batchMustHit) {
        throw new RowException(
            "replica table "
                + batchTarget
                + ": an update that kept a large value found no row to keep it in; the replica was changed by hand, or"
                + " restored without its watermark");
      }
      if (count == 0) {
        missedDeletes++;
      }
    }
  }

  /** Says that the transaction was committed: what it added is known from now on. */
  void committed() {
    knownTenants.addAll(newTenants);
    newTenants.clear();
    boundTenant = "";
  }

  /** Says that the transaction was rolled back. */
  void rolledBack() throws SQLException {
    pending.clear();
    undone();
  }

  /** Says that a part of the transaction was rolled back, with what it bound and added. */
  void undone() throws SQLException {
    newTenants.clear();
    boundTenant = "";
    if (batch != null) {
      batch.clearBatch();
      batch = null;
      batched = 0;
    }
  }

  /** How many deletes found no row since this writer began. */
  long missedDeletes() {
    return missedDeletes;
  }

  private void upsert(
      ReplicaTable table, String tenant, Map<String, @Nullable String> row, Lsn lsn, int generation)
      throws SQLException {
    bind(tenant);
    register(tenant);
    notePending(table, tenant, lsn);
    List<String> columns = columns(table, row);
    PreparedStatement statement = next(RowSql.upsert(table, columns), table.target(), false);
    int index = 0;
    statement.setString(++index, tenant);
    for (String column : columns) {
      statement.setString(++index, row.get(column));
    }
    statement.setString(++index, lsn.toString());
    statement.setInt(++index, generation);
    add(statement);
  }

  private void patch(RowOperation.Patch patch, Lsn lsn, int generation) throws SQLException {
    ReplicaTable table = patch.table();
    bind(patch.tenant());
    notePending(table, patch.tenant(), lsn);
    List<String> columns =
        columns(table, patch.row()).stream()
            .filter(column -> !table.key().contains(column))
            .toList();
    PreparedStatement statement = next(RowSql.patch(table, columns), table.target(), true);
    int index = 0;
    for (String column : columns) {
      statement.setString(++index, patch.row().get(column));
    }
    statement.setString(++index, lsn.toString());
    statement.setInt(++index, generation);
    key(statement, index, table, patch.tenant(), patch.row());
    add(statement);
  }

  private void delete(ReplicaTable table, String tenant, Map<String, @Nullable String> key)
      throws SQLException {
    bind(tenant);
    PreparedStatement statement = next(RowSql.delete(table), table.target(), false);
    key(statement, 0, table, tenant, key);
    add(statement);
  }

  /** Deletes a row that need not be there. */
  void deleteIfThere(ReplicaTable table, String tenant, Map<String, @Nullable String> key)
      throws SQLException {
    flush();
    bind(tenant);
    PreparedStatement statement = prepared(RowSql.delete(table));
    key(statement, 0, table, tenant, key);
    statement.executeUpdate();
  }

  private void move(RowOperation.Move move, Lsn lsn, int generation) throws SQLException {
    ReplicaTable table = move.table();
    Map<String, @Nullable String> row = new HashMap<>(move.row());
    List<String> kept =
        table.values().stream().filter(column -> !move.row().containsKey(column)).toList();
    if (!kept.isEmpty()) {
      flush();
      bind(move.oldTenant());
      PreparedStatement select = prepared(RowSql.select(table, kept));
      key(select, 0, table, move.oldTenant(), move.key());
      try (ResultSet old = select.executeQuery()) {
        if (!old.next()) {
          throw new RowException(
              "replica table "
                  + table.target()
                  + ": a row that changed its key or tenant was not there");
        }
        for (int i = 0; i < kept.size(); i++) {
          row.put(kept.get(i), old.getString(i + 1));
        }
      }
    }
    delete(table, move.oldTenant(), move.key());
    upsert(table, move.tenant(), row, lsn, generation);
  }

  private void deleteTenant(ReplicaTable table, String tenant, String sql, int generation)
      throws SQLException {
    flush();
    bind(tenant);
    PreparedStatement statement = prepared(sql);
    statement.setString(1, tenant);
    if (generation > 0) {
      statement.setInt(2, generation);
    }
    statement.executeUpdate();
  }

  /** The tenants that have had rows in this partition. */
  List<String> tenants() throws SQLException {
    List<String> tenants = new ArrayList<>();
    flush();
    try (PreparedStatement statement =
        connection.prepareStatement(
            "select tenant_id from public.tidemark_tenant where pipeline = ? and partition = ?")) {
      statement.setString(1, pipeline);
      statement.setInt(2, partition);
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          tenants.add(row.getString(1));
        }
      }
    }
    return tenants;
  }

  private static List<String> columns(ReplicaTable table, Map<String, @Nullable String> row) {
    return table.types().sequencedKeySet().stream().filter(row::containsKey).toList();
  }

  private static void key(
      PreparedStatement statement,
      int bound,
      ReplicaTable table,
      String tenant,
      Map<String, @Nullable String> row)
      throws SQLException {
    int index = bound;
    statement.setString(++index, tenant);
    for (String column : table.key()) {
      statement.setString(++index, row.get(column));
    }
  }

  private void notePending(ReplicaTable table, String tenant, Lsn lsn) {
    if (lsn.equals(Replica.PENDING)) {
      pending.add(new PendingRows(table, tenant));
    }
  }

  /** Binds the tenant for what follows in the transaction. */
  void bind(String tenant) throws SQLException {
    if (boundTenant.equals(tenant)) {
      return;
    }
    flush();
    bindTenant.setString(1, tenant);
    bindTenant.execute();
    boundTenant = tenant;
  }

  /** Notes that the tenant has rows. */
  void register(String tenant) throws SQLException {
    if (knownTenants.contains(tenant) || !newTenants.add(tenant)) {
      return;
    }
    flush();
    addTenant.setString(1, pipeline);
    addTenant.setInt(2, partition);
    addTenant.setString(3, tenant);
    addTenant.executeUpdate();
  }

  private PreparedStatement next(String sql, String target, boolean mustHit) throws SQLException {
    PreparedStatement statement = prepared(sql);
    if (batch != statement) {
      flush();
      batch = statement;
      batchTarget = target;
      batchMustHit = mustHit;
    }
    return statement;
  }

  private void add(PreparedStatement statement) throws SQLException {
    statement.addBatch();
    if (++batched >= MAX_BATCH) {
      flush();
    }
  }

  private PreparedStatement prepared(String sql) throws SQLException {
    PreparedStatement statement = statements.get(sql);
    if (statement == null) {
      statement = connection.prepareStatement(sql);
      statements.put(sql, statement);
    }
    return statement;
  }

  @Override
  public void close() throws SQLException {
    for (PreparedStatement statement : statements.values()) {
      statement.close();
    }
    bindTenant.close();
    addTenant.close();
  }
}
