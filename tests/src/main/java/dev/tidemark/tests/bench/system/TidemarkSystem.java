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
import org.jspecify.annotations.Nullable;

/**
 * Tidemark as {@code ./tidemark up} runs it: all in one JVM with 1 GB of heap, a process of its
 * own.
 */
public final class TidemarkSystem implements Contender {

  private static final Duration START_LIMIT = Duration.ofMinutes(3);
  private static final Duration CLEAR_LIMIT = Duration.ofMinutes(3);
  private static final Duration POLL = Duration.ofMillis(20);

  private final Site site;
  private final Path folder;

  /** Made before it; stopped, but for servers that a {@code kill -9} leaves running. */
  private final @Nullable Clusters clusters;

  private final TidemarkOptions options;
  private final ChildProcess process;
  private final Endpoints endpoints;
  private final long readyNanos;
  private final GatewayClient admin;
  private final Connection replica;

  private TidemarkSystem(
      Site site,
      Path folder,
      @Nullable Clusters clusters,
      TidemarkOptions options,
      ChildProcess process)
      throws Exception {
    this.site = site;
    this.folder = folder;
    this.clusters = clusters;
    this.options = options;
    this.process = process;
    this.endpoints = awaitEndpoints();
    this.readyNanos = System.nanoTime();
    this.admin =
        new GatewayClient(
            endpoints.gateway(), LocalIssuer.load(folder), "bench", List.of("admin", "ops"));
    this.replica = DriverManager.getConnection(endpoints.replicaJdbcUrl());
    awaitSnapshot();
  }

  /** Makes the clusters and starts it; returns when it is in sync. */
  public static TidemarkSystem start(Site site, TidemarkOptions options) throws Exception {
    Path folder = site.newFolder(SystemKind.TIDEMARK.text());
    Clusters clusters = options.oneCluster() ? null : prepare(site, folder, options);
    if (options.routes().isPresent()) {
      Files.writeString(folder.resolve("routes.yaml"), options.routes().get());
    }
    return launch(site, folder, clusters, options);
  }

  private static Clusters prepare(Site site, Path folder, TidemarkOptions options)
      throws Exception {
    String password =
        Secrets.loadOrCreate(folder, Services.ROLES).password(EmbeddedPostgres.SUPERUSER);
    try (Clusters clusters = Clusters.start(site, folder, password)) {
      clusters.keepSettings();
      try (Connection source = clusters.connectSource();
          Statement statement = source.createStatement()) {
        for (String table : options.tables()) {
          statement.execute(table);
        }
        if (options.rows() > 0) {
          statement.execute(Clusters.DOCUMENTS);
          Documents.fill(source, options.rows());
        }
      }
      return clusters;
    }
  }

  private static TidemarkSystem launch(
      Site site, Path folder, @Nullable Clusters clusters, TidemarkOptions options)
      throws Exception {
    ChildProcess process =
        ChildProcess.start(
            site,
            Children.java(
                Children.classPath(),
                Children.UP_OPTIONS,
                Main.class.getName(),
                options.arguments(folder)),
            folder.resolve("up.log"));
    try {
      return new TidemarkSystem(site, folder, clusters, options, process);
    } catch (Exception e) {
      process.close();
      throw e;
    }
  }

  /** Ends it as {@code kill -9} does; its servers stay. Another object goes on with its data. */
  public void kill() throws Exception {
    process.kill();
    Endpoints.delete(folder);
    admin.close();
    replica.close();
  }

  /** Starts it again after {@link #kill}; returns when it is ready. */
  public TidemarkSystem startAgain() throws Exception {
    return launch(site, folder, clusters, options);
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
    return SystemKind.TIDEMARK.text();
  }

  /** Its process, all of it but the databases' servers. */
  public long pid() {
    return process.pid();
  }

  /** When it said that it was ready, as {@link System#nanoTime} tells it. */
  public long readyNanos() {
    return readyNanos;
  }

  /** Its data folder. */
  public Path folder() {
    return folder;
  }

  /** A connection to the replica, as superuser. */
  public Connection replica() throws SQLException {
    return DriverManager.getConnection(endpoints.replicaJdbcUrl());
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
    return ReplicaTable.WAYBILLS.commits(replica, prefix);
  }

  @Override
  public long awaitAll(Fill fill, Duration limit) throws SQLException, InterruptedException {
    return ReplicaTable.WAYBILLS.awaitAll(this, replica, fill, limit);
  }

  @Override
  public void clear() throws SQLException, InterruptedException {
    ReplicaTable.WAYBILLS.awaitEmpty(replica, CLEAR_LIMIT);
  }

  @Override
  public long followedSince() throws IOException {
    return Clusters.slotMicros(folder.resolve("postgres/source"));
  }

  @Override
  public Cpu cpu() throws IOException {
    Path clusters = folder.resolve("postgres");
    if (options.oneCluster()) {
      return new Cpu(ProcessCpu.nanos(process.pid()), server(clusters.resolve("shared")), 0);
    }
    return new Cpu(
        ProcessCpu.nanos(process.pid()),
        server(clusters.resolve("source")),
        server(clusters.resolve("replica")));
  }

  private static long server(Path cluster) throws IOException {
    return ProcessCpu.treeNanos(ProcessCpu.postmaster(cluster.resolve("data")));
  }

  @Override
  public void close() throws Exception {
    admin.close();
    replica.close();
    process.close();
    Clusters left = clusters;
    if (left != null) {
      left.close();
    }
    TemporaryFolder.deleteRecursively(folder);
  }
}
