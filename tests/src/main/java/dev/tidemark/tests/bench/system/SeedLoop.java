package dev.tidemark.tests.bench.system;

import dev.tidemark.standalone.EmbeddedServers;
import dev.tidemark.tests.bench.program.SeedProgram;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** The loop that peeks at the slot, in a JVM of its own. */
final class SeedLoop extends Peer.WithReplica {

  private static final List<String> MEMORY = List.of("-Xmx1g", "-XX:+UseG1GC");

  private static final String TENANT = "tenant_id = current_setting('app.tenant', true)";

  private final ChildProcess process;

  private SeedLoop(Path folder, Clusters clusters, ChildProcess process) throws SQLException {
    super(
        SystemKind.SEED_LOOP,
        folder,
        clusters,
        new ReplicaTable("replica_waybill", "ops_status", ReplicaTable.COMMIT));
    this.process = process;
  }

  static SeedLoop start(Site site) throws Exception {
    Path folder = site.newFolder(SystemKind.SEED_LOOP.text());
    Clusters clusters = clusters(site, folder, 0);
    try {
      prepare(clusters);
      SeedLoop started = new SeedLoop(folder, clusters, launch(site, folder, clusters));
      started.resume();
      started.awaitStart(0);
      return started;
    } catch (Exception e) {
      clusters.close();
      throw e;
    }
  }

  /** Its rows are written under row-level security, by a role that it binds. */
  private static void prepare(Clusters clusters) throws SQLException {
    try (Connection source = clusters.connectSource();
        Statement statement = source.createStatement()) {
      statement.execute("select pg_create_logical_replication_slot('bench', 'pgoutput')");
    }
    try (Connection replica = clusters.connectReplica();
        Statement statement = replica.createStatement()) {
      for (String sql :
          List.of(
              "create role seed login password '" + PASSWORD + "'",
              "create table replica_waybill (tenant_id text, name text, order_name text, ops_status"
                  + " text, current_hub text, receiver_name text, scans integer, updated_at"
                  + " timestamptz, primary key (tenant_id, name))",
              "create table sync_watermark (slot text primary key, last_lsn pg_lsn, events bigint,"
                  + " updated_at timestamptz)",
              "alter table replica_waybill enable row level security",
              "create policy tenant on replica_waybill using ("
                  + TENANT
                  + ") with check ("
                  + TENANT
                  + ")",
              "grant select, insert, update on replica_waybill, sync_watermark to seed")) {
        statement.execute(sql);
      }
    }
  }

  private static ChildProcess launch(Site site, Path folder, Clusters clusters) throws Exception {
    return ChildProcess.startTalking(
        site,
        Children.java(
            Children.classPath(),
            MEMORY,
            SeedProgram.class.getName(),
            List.of(
                clusters.source().superuserJdbcUrl(EmbeddedServers.SOURCE),
                clusters.replica().jdbcUrl(EmbeddedServers.REPLICA)
                    + "?user=seed&password="
                    + PASSWORD,
                "bench",
                "bench")),
        folder.resolve("seed.log"));
  }

  @Override
  public void pause() throws IOException {
    process.command("stop");
  }

  @Override
  public void resume() throws IOException {
    process.command("start");
  }

  @Override
  long processCpu() {
    return ProcessCpu.nanos(process.pid());
  }

  @Override
  void stop() throws InterruptedException {
    process.close();
  }
}
