package dev.tidemark.tests.bench.system;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;

/**
 * What has arrived in a replica table, told by PostgreSQL's own record of when each row's
 * transaction was committed. Nothing has to watch the table meanwhile, so watching disturbs no
 * measurement and treats every system alike.
 *
 * @param table its name, with columns {@code tenant_id} and {@code name}
 * @param status an expression for the document's {@code ops_status}
 * @param arrived an expression for the time at which a row became visible
 */
record ReplicaTable(String table, String status, String arrived) {

  /** When the transaction that wrote the row was committed. */
  static final String COMMIT = "pg_xact_commit_timestamp(xmin)";

  private static final String STATUS = "data->>'ops_status'";

  /** The documents themselves. */
  static final ReplicaTable DOCUMENTS = new ReplicaTable("tidemark_doc", STATUS, COMMIT);

  /** The rows of Tidemark's example. */
  static final ReplicaTable WAYBILLS = new ReplicaTable("replica_waybill", "ops_status", COMMIT);

  /**
   * The documents that logical replication brings: it records the source's commit time as that of
   * its own transaction. So the table has a column more, whose default is the time at which the row
   * was written.
   */
  static final ReplicaTable WITH_TIME = new ReplicaTable("tidemark_doc", STATUS, "arrived");

  private static final Duration POLL = Duration.ofMillis(20);

  /** When documents were committed, in microseconds since 1970, by name. */
  Map<String, Long> commits(Connection connection, String prefix) throws SQLException {
    Map<String, Long> commits = new HashMap<>();
    try (PreparedStatement statement =
        connection.prepareStatement(
            "select name, " + micros(arrived) + " from " + table + " where starts_with(name, ?)")) {
      statement.setString(1, prefix);
      ResultSet row = statement.executeQuery();
      while (row.next()) {
        commits.put(row.getString(1), row.getLong(2));
      }
    }
    return commits;
  }

  private static String micros(String time) {
    return "(extract(epoch from " + time + ") * 1000000)::bigint";
  }

  /** Waits for all documents of a fill, then compares them with the source's. */
  long awaitAll(Contender system, Connection replica, Fill fill, Duration limit)
      throws SQLException, InterruptedException {
    long deadline = System.nanoTime() + limit.toNanos();
    // Counting is dear, and where the order is kept the last ones tell enough.
    while (!hasLast(replica, fill) || count(replica) < fill.rows()) {
      if (System.nanoTime() - deadline > 0) {
        throw new BenchException(
            "%s has %d of %d documents after %s"
                .formatted(system.name(), count(replica), fill.rows(), limit));
      }
      Thread.sleep(POLL);
    }
    long seen = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    String here = digest(replica, fill);
    String there;
    try (Connection source = system.source()) {
      there = DOCUMENTS.digest(source, fill);
    }
    if (!here.equals(there)) {
      throw new BenchException(
          "the replica of %s is not equal to the source: count and checksum %s, not %s"
              .formatted(system.name(), here, there));
    }
    return arrived.equals(COMMIT) ? lastCommit(replica) : seen;
  }

  private long lastCommit(Connection replica) throws SQLException {
    try (Statement statement = replica.createStatement();
        ResultSet row =
            statement.executeQuery("select max(" + micros(arrived) + ") from " + table)) {
      row.next();
      return row.getLong(1);
    }
  }

  private boolean hasLast(Connection connection, Fill fill) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "select count(*) from unnest(?, ?) k(t, n) join "
                + table
                + " on tenant_id = t and name = n")) {
      statement.setArray(
          1,
          connection.createArrayOf("text", fill.last().stream().map(Fill.Key::tenant).toArray()));
      statement.setArray(
          2, connection.createArrayOf("text", fill.last().stream().map(Fill.Key::name).toArray()));
      ResultSet row = statement.executeQuery();
      row.next();
      return row.getInt(1) == fill.last().size();
    }
  }

  private String digest(Connection connection, Fill fill) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "select count(*), sum(hashtextextended(concat_ws('|', tenant_id, name, "
                + status
                + "), 0)) from "
                + table
                + " where starts_with(name, ?)")) {
      statement.setString(1, fill.prefix());
      ResultSet row = statement.executeQuery();
      row.next();
      return row.getLong(1) + " " + row.getString(2);
    }
  }

  long count(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("select count(*) from " + table)) {
      row.next();
      return row.getLong(1);
    }
  }

  /** Waits until the table is empty. */
  void awaitEmpty(Connection connection, Duration limit) throws SQLException, InterruptedException {
    long deadline = System.nanoTime() + limit.toNanos();
    while (count(connection) > 0) {
      if (System.nanoTime() - deadline > 0) {
        throw new BenchException(table + " is not empty after " + limit);
      }
      Thread.sleep(POLL);
    }
  }

  /** Empties the table. */
  void truncate(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("truncate " + table);
    }
  }
}
