package dev.tidemark.tests.bench.system;

import dev.tidemark.standalone.Main;
import dev.tidemark.standalone.Services;
import dev.tidemark.standalone.client.Answer;
import dev.tidemark.standalone.client.GatewayClient;
import dev.tidemark.standalone.data.DataFolder;
import dev.tidemark.standalone.data.Endpoints;
import dev.tidemark.standalone.data.Secrets;
import dev.tidemark.standalone.data.TemporaryFolder;
import dev.tidemark.standalone.issuer.LocalIssuer;
import dev.tidemark.standalone.postgres.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Tidemark as {@code ./tidemark up} runs it: all in one JVM with 1 GB of heap, a process of its
 * own.
 */
public final class TidemarkSystem implements Contender {

  /** As the results name it. */
  public static final String NAME = "tidemark";

  private static final Duration START_LIMIT = Duration.ofMinutes(3);
  private static final Duration CLEAR_LIMIT = Duration.ofMinutes(3);
  private static final Duration POLL = Duration.ofMillis(20);
  private static final ReplicaTable TABLE = new ReplicaTable("replica_waybill", "ops_status");

  private final Path folder;
  private final ChildProcess process;
  private final Endpoints endpoints;
  private final GatewayClient admin;
  private final Connection replica;

  private TidemarkSystem(Path folder, ChildProcess process) throws Exception {
    this.folder = folder;
    this.process = process;
    this.endpoints = awaitEndpoints();
    this.admin =
        new GatewayClient(
            endpoints.gateway(), LocalIssuer.load(folder), "bench", List.of("admin", "ops"));
    this.replica = DriverManager.getConnection(endpoints.replicaJdbcUrl());
    awaitSnapshot();
  }

  /** Makes the clusters and starts it with the built-in routes; returns when it is in sync. */
  public static TidemarkSystem start(Site site) throws Exception {
    Path folder = site.newFolder(NAME);
    String password =
        Secrets.loadOrCreate(folder, Services.ROLES).password(EmbeddedPostgres.SUPERUSER);
    try (Clusters clusters = Clusters.start(folder, password)) {
      clusters.keepSettings();
    }
    ChildProcess process =
        ChildProcess.start(
            Children.java(
                Children.classPath(),
                Children.UP_OPTIONS,
                Main.class.getName(),
                List.of("up", "--data", folder.toString(), "--port", "0")),
            folder.resolve("up.log"));
    try {
      return new TidemarkSystem(folder, process);
    } catch (Exception e) {
      process.close();
      throw e;
    }
  }

  private Endpoints awaitEndpoints() throws IOException, InterruptedException {
    long deadline = System.nanoTime() + START_LIMIT.toNanos();
    while (!Files.exists(DataFolder.endpointsFile(folder))) {
      if (!process.isAlive() || System.nanoTime() - deadline > 0) {
        throw new BenchException(
            "./tidemark up did not start: " + Files.readString(process.log()).strip());
      }
      Thread.sleep(POLL);
    }
    return Endpoints.read(folder);
  }

  private void awaitSnapshot() throws SQLException, InterruptedException {
    long deadline = System.nanoTime() + START_LIMIT.toNanos();
    while (!snapshotIsComplete()) {
      if (System.nanoTime() - deadline > 0) {
        throw new BenchException("no snapshot of Tidemark after " + START_LIMIT);
      }
      Thread.sleep(POLL);
    }
  }

  private boolean snapshotIsComplete() throws SQLException {
    try (Statement statement = replica.createStatement();
        ResultSet row =
            statement.executeQuery(
                "select count(*) > 0 and min(lsn) > '0/0' from tidemark_watermark")) {
      row.next();
      return row.getBoolean(1);
    }
  }

  @Override
  public String name() {
    return NAME;
  }

  /** Where it can be reached. */
  public Endpoints endpoints() {
    return endpoints;
  }

  @Override
  public Connection source() throws SQLException {
    return DriverManager.getConnection(endpoints.sourceJdbcUrl());
  }

  @Override
  public void pause() throws IOException, InterruptedException {
    pause(true);
  }

  @Override
  public void resume() throws IOException, InterruptedException {
    pause(false);
  }

  private void pause(boolean paused) throws IOException, InterruptedException {
    Answer answer = admin.put("/api/ops/paused/capture", Boolean.toString(paused));
    if (answer.status() >= 300) {
      throw new BenchException("capture could not be paused: " + answer.body());
    }
  }

  @Override
  public Map<String, Long> arrivals(String prefix) throws SQLException {
    return TABLE.commits(replica, prefix);
  }

  @Override
  public long awaitAll(Fill fill, Duration limit) throws SQLException, InterruptedException {
    return TABLE.awaitAll(this, replica, fill, limit);
  }

  @Override
  public void clear() throws SQLException, InterruptedException {
    TABLE.awaitEmpty(replica, CLEAR_LIMIT);
  }

  @Override
  public Cpu cpu() throws IOException {
    return new Cpu(
        ProcessCpu.nanos(process.pid()),
        ProcessCpu.treeNanos(ProcessCpu.postmaster(folder.resolve("postgres/source/data"))),
        ProcessCpu.treeNanos(ProcessCpu.postmaster(folder.resolve("postgres/replica/data"))));
  }

  @Override
  public void close() throws Exception {
    admin.close();
    replica.close();
    process.close();
    TemporaryFolder.deleteRecursively(folder);
  }
}
