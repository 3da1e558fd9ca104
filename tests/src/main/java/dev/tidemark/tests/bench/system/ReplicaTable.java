package dev.tidemark.tests.bench.system;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * What has arrived in a replica table, told by PostgreSQL's own record of when each row's
 * transaction was committed. Nothing has to watch the table meanwhile, so watching disturbs no
 * measurement and treats every system alike.
 *
 * @param table its name, with columns {@code tenant_id} and {@code name}
 * @param status an expression for the document's {@code ops_status}
 */
record ReplicaTable(String table, String status) {

  /** The documents themselves. */
  static final ReplicaTable SOURCE = new ReplicaTable("tidemark_doc", "data->>'ops_status'");

  private static final Duration POLL = Duration.ofMillis(50);

  private static final String COMMITTED =
      "(extract(epoch from pg_xact_commit_timestamp(xmin)) * 1000000)::bigint";

  /** When documents were committed, in microseconds since 1970, by name. */
  Map<String, Long> commits(Connection connection, String prefix) throws SQLException {
    Map<String, Long> commits = new HashMap<>();
    try (PreparedStatement statement =
        connection.prepareStatement(
            "select name, " + COMMITTED + " from " + table + " where starts_with(name, ?)")) {
      statement.setString(1, prefix);
      ResultSet row = statement.executeQuery();
      while (row.next()) {
        commits.put(row.getString(1), row.getLong(2));
      }
    }
    return commits;
  }

  /** Waits for the last documents of a fill, then compares all of them with the source's. */
  long awaitAll(Contender system, Connection replica, Fill fill, Duration limit)
      throws SQLException, InterruptedException {
    long deadline = System.nanoTime() + limit.toNanos();
    while (!hasLast(replica, fill)) {
      if (System.nanoTime() - deadline > 0) {
        throw new BenchException(
            "%s has %d of %d documents after %s"
                .formatted(system.name(), count(replica), fill.rows(), limit));
      }
      Thread.sleep(POLL);
    }
    String here = digest(replica, fill);
    String there;
    try (Connection source = system.source()) {
      there = SOURCE.digest(source, fill);
    }
    if (!here.equals(there)) {
      throw new BenchException(
          "the replica of %s is not equal to the source: count and checksum %s, not %s"
              .formatted(system.name(), here, there));
    }
    try (Statement statement = replica.createStatement();
        ResultSet row = statement.executeQuery("select max(" + COMMITTED + ") from " + table)) {
      row.next();
      return row.getLong(1);
    }
  }

  private boolean hasLast(Connection connection, Fill fill) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "select exists(select 1 from " + table + " where tenant_id = ? and name = ?)")) {
      for (Fill.Key key : fill.last()) {
        statement.setString(1, key.tenant());
        statement.setString(2, key.name());
        ResultSet row = statement.executeQuery();
        row.next();
        if (!row.getBoolean(1)) {
          return false;
        }
      }
    }
    return true;
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
