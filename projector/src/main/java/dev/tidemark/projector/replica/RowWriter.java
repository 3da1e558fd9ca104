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
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Executes row operations inside the caller's transaction, with each row's tenant bound for
 * row-level security. What comes is collected by table, and sent by {@link #flush} in few
 * statements. Not thread-safe.
 */
final class RowWriter implements AutoCloseable {

  private static final int MAX_BATCH_ROWS = 2_000;

  /** Its arrays are a few times as large in memory. */
  private static final long MAX_BATCH_BYTES = 1 << 20;

  private final Connection connection;
  private final String pipeline;
  private final int partition;
  private final Map<String, PreparedStatement> statements = new HashMap<>();
  private final Set<String> knownTenants = new HashSet<>();
  private final Set<String> newTenants = new HashSet<>();
  private final Set<PendingRows> pending = new LinkedHashSet<>();
  private final PreparedStatement bindTenant;
  private final PreparedStatement addTenant;

  /** By target. */
  private final Map<String, RowBatch> batches = new LinkedHashMap<>();

  private int batchGeneration;
  private String boundTenant = "";
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
    if (generation != batchGeneration) {
      flush();
      batchGeneration = generation;
    }
    switch (operation) {
      case RowOperation.Upsert upsert -> upsert(upsert.table(), upsert.tenant(), upsert.row(), lsn);
      case RowOperation.Patch patch -> patch(patch, lsn);
      case RowOperation.Delete delete -> delete(delete.table(), delete.tenant(), delete.key());
      case RowOperation.Move move -> move(move, lsn);
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
    if (batches.isEmpty()) {
      return;
    }
    List<RowBatch> sent = List.copyOf(batches.values());
    batches.clear();
    for (RowBatch batch : sent) {
      missedDeletes += batch.missed();
      // Keys that are written differently may be equal to the database, such as numbers; one of
      // them at most has a row in the end.
      sendDeletes(batch);
      sendPatches(batch);
      sendUpserts(batch);
    }
  }

  private void sendDeletes(RowBatch batch) throws SQLException {
    ReplicaTable table = batch.table();
    for (var ofTenant : batch.byTenant(RowBatch.Delete.class).entrySet()) {
      bind(ofTenant.getKey());
      PreparedStatement statement = prepared(RowSql.delete(table));
      for (RowBatch.Delete delete : ofTenant.getValue()) {
        key(statement, 0, table, delete.tenant(), delete.key());
        statement.addBatch();
      }
      int[] counts = statement.executeBatch();
      for (int i = 0; i < counts.length; i++) {
        if (counts[i] == 0 && ofTenant.getValue().get(i).expected()) {
          missedDeletes++;
        }
      }
    }
  }

  private void sendPatches(RowBatch batch) throws SQLException {
    ReplicaTable table = batch.table();
    for (var ofTenant : batch.byTenant(RowBatch.Patch.class).entrySet()) {
      bind(ofTenant.getKey());
      for (RowBatch.Patch patch : ofTenant.getValue()) {
        List<String> columns =
            columns(table, patch.row()).stream()
                .filter(column -> !table.key().contains(column))
                .toList();
        PreparedStatement statement = prepared(RowSql.patch(table, columns));
        int index = 0;
        for (String column : columns) {
          statement.setString(++index, patch.row().get(column));
        }
        statement.setString(++index, patch.lsn().toString());
        statement.setInt(++index, batchGeneration);
        key(statement, index, table, patch.tenant(), patch.row());
        if (statement.executeUpdate() == 0) {
          throw new RowException(
              "replica table "
                  + table.target()
                  + ": an update that kept a large value found no row to keep it in; the replica was changed by hand, or"
                  + " restored without its watermark");
        }
      }
    }
  }

  private void sendUpserts(RowBatch batch) throws SQLException {
    List<RowBatch.Upsert> upserts = batch.upserts();
    int sent = 0;
    while (sent < upserts.size()) {
      List<String> columns = columns(batch.table(), upserts.get(sent).row());
      int end = sent + 1;
      while (end < upserts.size() && hasColumns(upserts.get(end).row(), columns)) {
        end++;
      }
      sendUpserts(batch.table(), columns, upserts.subList(sent, end));
      sent = end;
    }
  }

  private static boolean hasColumns(Map<String, @Nullable String> row, List<String> columns) {
    return row.size() == columns.size() && row.keySet().containsAll(columns);
  }

  private void sendUpserts(ReplicaTable table, List<String> columns, List<RowBatch.Upsert> rows)
      throws SQLException {
    PreparedStatement statement = prepared(RowSql.upserts(table, columns));
    int index = 0;
    statement.setInt(++index, batchGeneration);
    @Nullable String[] values = new @Nullable String[rows.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = rows.get(i).tenant();
    }
    statement.setArray(++index, connection.createArrayOf("text", values));
    for (String column : columns) {
      for (int i = 0; i < values.length; i++) {
        values[i] = rows.get(i).row().get(column);
      }
      statement.setArray(++index, connection.createArrayOf("text", values));
    }
    for (int i = 0; i < values.length; i++) {
      values[i] = rows.get(i).lsn().toString();
    }
    statement.setArray(++index, connection.createArrayOf("text", values));
    statement.executeUpdate();
    // The statement has bound one after the other.
    boundTenant = rows.getLast().tenant();
  }

  /** Says that the transaction was committed: what it added is known from now on. */
  void committed() {
    knownTenants.addAll(newTenants);
    newTenants.clear();
    boundTenant = "";
  }

  /** Says that the transaction was rolled back. */
  void rolledBack() {
    pending.clear();
    undone();
  }

  /** Says that a part of the transaction was rolled back, with what it bound and added. */
  void undone() {
    newTenants.clear();
    boundTenant = "";
    batches.clear();
  }

  /** How many deletes found no row since this writer began. */
  long missedDeletes() {
    return missedDeletes;
  }

  private void upsert(ReplicaTable table, String tenant, Map<String, @Nullable String> row, Lsn lsn)
      throws SQLException {
    register(tenant);
    notePending(table, tenant, lsn);
    RowBatch batch = batch(table);
    batch.upsert(tenant, row, lsn);
    flushWhenFull(batch);
  }

  private void patch(RowOperation.Patch patch, Lsn lsn) throws SQLException {
    ReplicaTable table = patch.table();
    notePending(table, patch.tenant(), lsn);
    if (!batch(table).takesPatch(patch.tenant(), patch.row())) {
      flush();
    }
    RowBatch batch = batch(table);
    batch.patch(patch.tenant(), patch.row(), lsn);
    flushWhenFull(batch);
  }

  private void delete(ReplicaTable table, String tenant, Map<String, @Nullable String> key)
      throws SQLException {
    RowBatch batch = batch(table);
    batch.delete(tenant, key);
    flushWhenFull(batch);
  }

  private RowBatch batch(ReplicaTable table) {
    return batches.computeIfAbsent(table.target(), target -> new RowBatch(table));
  }

  private void flushWhenFull(RowBatch batch) throws SQLException {
    if (batch.size() >= MAX_BATCH_ROWS || batch.weight() >= MAX_BATCH_BYTES) {
      flush();
    }
  }

  /** Deletes a row that need not be there. */
  void deleteIfThere(ReplicaTable table, String tenant, Map<String, @Nullable String> key)
      throws SQLException {
    bind(tenant);
    PreparedStatement statement = prepared(RowSql.delete(table));
    key(statement, 0, table, tenant, key);
    statement.executeUpdate();
  }

  private void move(RowOperation.Move move, Lsn lsn) throws SQLException {
    ReplicaTable table = move.table();
    Map<String, @Nullable String> row = new HashMap<>(move.row());
    List<String> kept =
        table.values().stream().filter(column -> !move.row().containsKey(column)).toList();
    if (!kept.isEmpty()) {
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
    upsert(table, move.tenant(), row, lsn);
  }

  private void deleteTenant(ReplicaTable table, String tenant, String sql, int generation)
      throws SQLException {
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

  /** Sends what is batched, and binds the tenant for what follows. */
  void bind(String tenant) throws SQLException {
    flush();
    if (boundTenant.equals(tenant)) {
      return;
    }
    bindTenant.setString(1, tenant);
    bindTenant.execute();
    boundTenant = tenant;
  }

  /** Notes that the tenant has rows. */
  void register(String tenant) throws SQLException {
    if (knownTenants.contains(tenant) || !newTenants.add(tenant)) {
      return;
    }
    addTenant.setString(1, pipeline);
    addTenant.setInt(2, partition);
    addTenant.setString(3, tenant);
    addTenant.executeUpdate();
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
