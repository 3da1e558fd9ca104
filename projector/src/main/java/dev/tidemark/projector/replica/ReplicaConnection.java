package dev.tidemark.projector.replica;

import dev.tidemark.projector.ProjectorConfig;
import dev.tidemark.projector.row.ReplicaTable;
import dev.tidemark.projector.row.RowKey;
import dev.tidemark.projector.row.RowOperation;
import dev.tidemark.topics.Lsn;
import dev.tidemark.topics.route.Route;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * A partition's connection to the replica database: one transaction at a time, which ends with
 * {@link #commit} or {@link #rollback}. Not thread-safe.
 *
 * <p>{@link #open} takes the partition over by raising the epoch in its watermark row. Every commit
 * updates that row only where it still holds this connection's epoch and offset, so that a
 * projector which lost the partition fails there.
 */
final class ReplicaConnection implements Replica, AutoCloseable {

  private final ProjectorConfig config;
  private final Connection connection;
  private final String pipeline;
  private final int partition;
  private final Map<String, ReplicaTable> tables;
  private final RowWriter rows;
  private final Quarantine quarantine;
  private final DeadLetters deadLetters;
  private final PreparedStatement advance;
  private final PreparedStatement report;
  private final long epoch;
  private Watermark watermark;

  private ReplicaConnection(
      ProjectorConfig config,
      Connection connection,
      int partition,
      Map<String, ReplicaTable> tables,
      long epoch,
      Watermark watermark,
      long quarantined)
      throws SQLException {
    this.config = config;
    this.connection = connection;
    this.pipeline = config.routes().pipeline();
    this.partition = partition;
    this.tables = tables;
    this.epoch = epoch;
    this.watermark = watermark;
    this.rows = new RowWriter(connection, pipeline, partition);
    this.quarantine = new Quarantine(connection, rows, pipeline, partition, quarantined);
    this.deadLetters = new DeadLetters(config, partition);
    this.advance =
        connection.prepareStatement(
            "with moved as (update public.tidemark_watermark set generation = ?, history = ?, lsn = ?::pg_lsn,"
                + " log_offset = ?, events = events + ?, lag_ms = coalesce(?, lag_ms),"
                + " commit_time = coalesce(?, commit_time), updated_at = now(), reported_at = now(), stopped = null,"
                + " stopped_key = null, quarantined = ?, snapshot_rows = ?"
                + " where pipeline = ? and partition = ? and epoch = ? and log_offset = ?"
                + " returning pg_notify('tidemark_watermark', pipeline || ' ' || partition || ' ' || lsn))"
                + " select count(*) from moved");
    this.report =
        connection.prepareStatement(
            "update public.tidemark_watermark set reported_at = now(), stopped = ?, stopped_key = ?"
                + " where pipeline = ? and partition = ? and epoch = ?");
  }

  /** Connects and takes the partition over. */
  static ReplicaConnection open(ProjectorConfig config, int partition) throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("user", config.user());
    properties.setProperty("password", config.password());
    properties.setProperty("ApplicationName", "tidemark-projector");
    properties.setProperty("connectTimeout", "10");
    properties.setProperty("tcpKeepAlive", "true");
    // Else the messages of the driver hold rows.
    properties.setProperty("logServerErrorDetail", "false");
    Connection connection = DriverManager.getConnection(config.replicaJdbcUrl(), properties);
    try {
      connection.setAutoCommit(false);
      return takeOver(connection, config, partition);
    } catch (SQLException | RuntimeException e) {
      connection.close();
      throw e;
    }
  }

  private static ReplicaConnection takeOver(
      Connection connection, ProjectorConfig config, int partition) throws SQLException {
    Map<String, ReplicaTable> tables = ReplicaCatalog.read(connection, config.routes());
    String pipeline = config.routes().pipeline();
    try (PreparedStatement claim =
        connection.prepareStatement(
            "update public.tidemark_watermark set epoch = epoch + 1, reported_at = now()"
                + " where pipeline = ? and partition = ?"
                + " returning epoch, generation, history, lsn::text, log_offset, quarantined,"
                + " snapshot_rows")) {
      claim.setString(1, pipeline);
      claim.setInt(2, partition);
      try (ResultSet row = claim.executeQuery()) {
        if (!row.next()) {
          throw new IllegalStateException(
              "tidemark_watermark has no row for partition "
                  + partition
                  + " of pipeline "
                  + pipeline
                  + ": run the migration of the routes before the projector");
        }
        ReplicaConnection opened =
            new ReplicaConnection(
                config,
                connection,
                partition,
                tables,
                row.getLong(1),
                new Watermark(
                    row.getInt(2),
                    row.getString(3),
                    Lsn.parse(row.getString(4)),
                    row.getLong(5),
                    row.getLong(7)),
                row.getLong(6));
        connection.commit();
        return opened;
      }
    }
  }

  @Override
  public Map<String, ReplicaTable> tables() {
    return tables;
  }

  @Override
  public Watermark watermark() {
    return watermark;
  }

  @Override
  public void execute(RowOperation operation, Lsn lsn, int generation) throws SQLException {
    rows.execute(operation, lsn, generation);
    quarantine.written(operation);
  }

  @Override
  public void settle(Lsn commitLsn) throws SQLException {
    rows.settle(commitLsn);
    quarantine.settle(commitLsn);
  }

  @Override
  public void flush() throws SQLException {
    rows.flush();
  }

  @Override
  public Point savepoint() throws SQLException {
    rows.flush();
    return new Point(connection.setSavepoint(), quarantine.count());
  }

  @Override
  public void undo(Point point) throws SQLException {
    connection.rollback(point.savepoint());
    rows.undone();
    quarantine.undone(point.quarantined());
  }

  @Override
  public void release(Point point) throws SQLException {
    connection.releaseSavepoint(point.savepoint());
  }

  @Override
  public void remove(RowKey key) throws SQLException {
    quarantine.remove(key.table(), key.tenant(), key.key());
    Point before = savepoint();
    try {
      rows.deleteIfThere(key.table(), key.tenant(), key.key());
    } catch (SQLException e) {
      if (!DataFaults.isAboutData(e)) {
        throw e;
      }
      // A key that is not of its column's type has no row.
      undo(before);
    }
    release(before);
  }

  @Override
  public void quarantine(Quarantined change) throws SQLException {
    quarantine.add(change);
    deadLetters.send(change);
  }

  @Override
  public void completeGeneration(Iterable<Route> routes, int generation) throws SQLException {
    for (ReplicaTable table : tables.values()) {
      rows.deleteOlder(table, generation);
      quarantine.removeBefore(table, generation);
    }
    rows.flush();
    try (PreparedStatement statement =
        connection.prepareStatement(
            "delete from public.tidemark_route where pipeline = ? and partition = ?")) {
      statement.setString(1, pipeline);
      statement.setInt(2, partition);
      statement.executeUpdate();
    }
    try (PreparedStatement statement =
        connection.prepareStatement(
            "insert into public.tidemark_route (pipeline, target, partition, fingerprint, generation)"
                + " values (?, ?, ?, ?, ?)")) {
      for (Route route : routes) {
        statement.setString(1, pipeline);
        statement.setString(2, route.target());
        statement.setInt(3, partition);
        statement.setString(4, route.fingerprint());
        statement.setInt(5, generation);
        statement.addBatch();
      }
      statement.executeBatch();
    }
  }

  @Override
  public void commit(Watermark next, long events, @Nullable Instant sourceTime)
      throws SQLException {
    rows.flush();
    int index = 0;
    advance.setInt(++index, next.generation());
    advance.setString(++index, next.history());
    advance.setString(++index, next.lsn().toString());
    advance.setLong(++index, next.logOffset());
    advance.setLong(++index, events);
    if (sourceTime == null) {
      advance.setNull(++index, java.sql.Types.BIGINT);
      advance.setNull(++index, java.sql.Types.TIMESTAMP_WITH_TIMEZONE);
    } else {
      advance.setLong(++index, Math.max(0, Duration.between(sourceTime, Instant.now()).toMillis()));
      advance.setTimestamp(++index, Timestamp.from(sourceTime));
    }
    advance.setLong(++index, quarantine.count());
    advance.setLong(++index, next.snapshotRows());
    advance.setString(++index, pipeline);
    advance.setInt(++index, partition);
    advance.setLong(++index, epoch);
    advance.setLong(++index, watermark.logOffset());
    try (ResultSet row = advance.executeQuery()) {
      row.next();
      if (row.getLong(1) != 1) {
        rollback();
        throw new FencedException(partition);
      }
    }
    connection.commit();
    rows.committed();
    quarantine.committed();
    watermark = next;
  }

  @Override
  public void rollback() throws SQLException {
    connection.rollback();
    rows.rolledBack();
    quarantine.rolledBack();
  }

  @Override
  public void report(@Nullable Stop stop) throws SQLException {
    report.setString(1, stop == null ? null : stop.reason());
    report.setString(2, stop == null ? null : stop.key());
    report.setString(3, pipeline);
    report.setInt(4, partition);
    report.setLong(5, epoch);
    int updated = report.executeUpdate();
    connection.commit();
    if (updated != 1) {
      throw new FencedException(partition);
    }
  }

  @Override
  public void reportAside() throws SQLException {
    try (Connection aside =
            DriverManager.getConnection(config.replicaJdbcUrl(), config.user(), config.password());
        PreparedStatement statement =
            aside.prepareStatement(
                "update public.tidemark_watermark set reported_at = now()"
                    + " where pipeline = ? and partition = ? and epoch = ?")) {
      statement.setString(1, pipeline);
      statement.setInt(2, partition);
      statement.setLong(3, epoch);
      statement.executeUpdate();
    }
  }

  @Override
  public long missedDeletes() {
    return rows.missedDeletes();
  }

  @Override
  public void close() throws SQLException {
    deadLetters.close();
    connection.close();
  }
}
