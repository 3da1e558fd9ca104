package dev.tidemark.tests.bench.system;

import dev.tidemark.standalone.EmbeddedServers;
import dev.tidemark.standalone.postgres.EmbeddedPostgres;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/** A publication and a subscription, with PostgreSQL's own defaults. */
final class LogicalReplication extends Peer.WithReplica {

  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final Duration POLL = Duration.ofMillis(10);

  private LogicalReplication(Path folder, Clusters clusters) throws SQLException {
    super(SystemKind.LOGICAL_REPLICATION, folder, clusters, ReplicaTable.WITH_TIME);
  }

  static LogicalReplication start(Site site, int rows) throws Exception {
    Path folder = site.newFolder(SystemKind.LOGICAL_REPLICATION.text());
    Clusters clusters = clusters(site, folder, rows);
    try {
      try (Connection replica = clusters.connectReplica();
          Statement statement = replica.createStatement()) {
        statement.execute(Clusters.DOCUMENTS);
        statement.execute(
            "alter table tidemark_doc add arrived timestamptz default clock_timestamp()");
        statement.execute(
            "create subscription bench connection 'host=127.0.0.1 port=%d dbname=%s user=%s password=%s' publication bench with (copy_data = %s)"
                .formatted(
                    clusters.source().port(),
                    EmbeddedServers.SOURCE,
                    EmbeddedPostgres.SUPERUSER,
                    PASSWORD,
                    rows > 0));
      }
      LogicalReplication started = new LogicalReplication(folder, clusters);
      started.awaitStart(rows);
      return started;
    } catch (Exception e) {
      clusters.close();
      throw e;
    }
  }

  private void alter(String how) throws SQLException {
    try (Connection replica = clusters().connectReplica();
        Statement statement = replica.createStatement()) {
      statement.execute("alter subscription bench " + how);
    }
  }

  @Override
  public void pause() throws SQLException, InterruptedException {
    alter("disable");
    long deadline = System.nanoTime() + LIMIT.toNanos();
    try (Connection source = source();
        Statement statement = source.createStatement()) {
      boolean active = true;
      while (active) {
        if (System.nanoTime() - deadline > 0) {
          throw new BenchException("the subscription is still active after " + LIMIT);
        }
        Thread.sleep(POLL);
        try (ResultSet row = statement.executeQuery("select active from pg_replication_slots")) {
          row.next();
          active = row.getBoolean(1);
        }
      }
    }
  }

  @Override
  public void resume() throws SQLException {
    alter("enable");
  }

  /** A publication publishes truncations, too. */
  @Override
  public void clear() throws SQLException, InterruptedException {
    try (Connection replica = clusters().connectReplica()) {
      ReplicaTable.WITH_TIME.awaitEmpty(replica, LIMIT);
    }
  }

  /** It has none beside those of the servers. */
  @Override
  long processCpu() {
    return 0;
  }

  @Override
  void stop() {
    // The servers are the whole of it.
  }
}
