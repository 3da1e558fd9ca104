package dev.tidemark.tests.bench.system;

import dev.tidemark.standalone.EmbeddedServers;
import dev.tidemark.standalone.Main;
import dev.tidemark.standalone.RouteFiles;
import dev.tidemark.standalone.Services;
import dev.tidemark.standalone.data.Ports;
import dev.tidemark.standalone.data.Secrets;
import dev.tidemark.standalone.data.TemporaryFolder;
import dev.tidemark.standalone.issuer.LocalIssuer;
import dev.tidemark.standalone.postgres.EmbeddedPostgres;
import dev.tidemark.topics.route.RouteFile;
import dev.tidemark.topics.schema.Migration;
import dev.tidemark.topics.schema.Roles;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * Tidemark in production: capture, projector and gateway as processes of their own, each with the
 * same small heap, on a broker and two clusters. To pause capture is to stop its process.
 */
public final class SeparateRoles implements Contender {

  /** The heap of each role, in megabytes. */
  public static final int HEAP_MEGABYTES = 256;

  /** The resource that {@link RouteFiles#example} reads. */
  private static final String ROUTES = "/example-routes.yaml";

  private static final List<String> MEMORY = List.of("-Xmx" + HEAP_MEGABYTES + "m");
  private static final List<Roles> ROLES = List.of(Roles.CAPTURE, Roles.PROJECTOR, Roles.GATEWAY);
  private static final String CAPTURE = "capture";
  private static final Duration CLEAR_LIMIT = Duration.ofMinutes(3);

  private final Site site;
  private final Path folder;
  private final Clusters clusters;
  private final Secrets secrets;
  private final ChildProcess broker;
  private final Connection replica;
  private final int port;
  private final Map<String, ChildProcess> roles = new LinkedHashMap<>();

  private SeparateRoles(
      Site site, Path folder, Clusters clusters, Secrets secrets, ChildProcess broker)
      throws Exception {
    this.site = site;
    this.folder = folder;
    this.clusters = clusters;
    this.secrets = secrets;
    this.broker = broker;
    this.replica = clusters.connectReplica();
    this.port = Ports.fresh(folder.resolve("port"));
    LocalIssuer issuer = LocalIssuer.loadOrCreate(folder);
    migrate();
    Files.writeString(folder.resolve("keys.json"), issuer.publicJwkSet().toString());
    Files.writeString(folder.resolve("tidemark.yaml"), configuration());
  }

  /** Starts all of it; the roles may not be ready yet. */
  public static SeparateRoles start(Site site) throws Exception {
    Path folder = site.newFolder("roles");
    Secrets secrets = Secrets.loadOrCreate(folder, Services.ROLES);
    Clusters clusters = Clusters.start(site, folder, secrets.password(EmbeddedPostgres.SUPERUSER));
    ChildProcess broker = Children.broker(site, folder);
    SeparateRoles started = new SeparateRoles(site, folder, clusters, secrets, broker);
    for (String role : names()) {
      started.launch(role);
    }
    return started;
  }

  private void migrate() throws SQLException, IOException {
    RouteFile routes = RouteFiles.example();
    try (Connection source = clusters.connectSource()) {
      Migration.replica(replica, routes, Migration.source(source, routes));
    }
    for (Roles role : ROLES) {
      String password = secrets.password(role.roleName());
      clusters.source().setPassword(role.roleName(), password);
      clusters.replica().setPassword(role.roleName(), password);
    }
    try (InputStream example =
        Objects.requireNonNull(RouteFiles.class.getResourceAsStream(ROUTES))) {
      Files.copy(example, folder.resolve("routes.yaml"));
    }
  }

  private String configuration() throws IOException {
    return """
        instance: bench
        routes: routes.yaml
        kafka: { bootstrap: "%s", replicationFactor: 1 }
        source:
          jdbcUrl: %s
          capture: { password: "%s" }
          gateway: { password: "%s" }
        replica:
          jdbcUrl: %s
          projector: { password: "%s" }
          gateway: { password: "%4$s" }
        projector: { stateFolder: state }
        gateway: { port: %d, jwkSetFile: keys.json, audience: %s }
        """
        .formatted(
            broker.command("address"),
            clusters.source().jdbcUrl(EmbeddedServers.SOURCE),
            secrets.password(Roles.CAPTURE.roleName()),
            secrets.password(Roles.GATEWAY.roleName()),
            clusters.replica().jdbcUrl(EmbeddedServers.REPLICA),
            secrets.password(Roles.PROJECTOR.roleName()),
            port,
            LocalIssuer.AUDIENCE);
  }

  /** The roles' names. */
  public static List<String> names() {
    return ROLES.stream().map(role -> role.name().toLowerCase(Locale.ROOT)).toList();
  }

  /** Starts a role that does not run. */
  public void launch(String role) throws Exception {
    List<String> arguments = List.of(role, "--config", folder.resolve("tidemark.yaml").toString());
    roles.put(
        role,
        ChildProcess.start(
            site,
            Children.java(Children.classPath(), MEMORY, Main.class.getName(), arguments),
            folder.resolve(role + ".log")));
  }

  /** Ends a role as {@code kill -9} does. */
  public void kill(String role) throws InterruptedException {
    running(role).kill();
  }

  private ChildProcess running(String role) {
    return Objects.requireNonNull(roles.get(role), role);
  }

  /**
   * The most memory that each role's process has had resident since its start, in megabytes.
   *
   * @throws BenchException when a role has ended
   */
  public Map<String, Double> peakMegabytes() throws IOException {
    Map<String, Double> peaks = new LinkedHashMap<>();
    for (Map.Entry<String, ChildProcess> role : roles.entrySet()) {
      ChildProcess process = role.getValue();
      if (!process.isAlive()) {
        throw new BenchException(role.getKey() + " has ended" + process.logTail());
      }
      peaks.put(role.getKey(), ProcessMemory.peakMegabytes(process.pid()));
    }
    return peaks;
  }

  /** The gateway's base URL. */
  public URI gateway() {
    return URI.create("http://127.0.0.1:" + port);
  }

  /** Signs tokens that the gateway accepts. */
  public LocalIssuer issuer() throws IOException {
    return LocalIssuer.load(folder);
  }

  @Override
  public String name() {
    return SystemKind.TIDEMARK.text();
  }

  @Override
  public Connection source() throws SQLException {
    return clusters.connectSource();
  }

  @Override
  public void pause() throws InterruptedException {
    running(CAPTURE).close();
  }

  @Override
  public void resume() throws Exception {
    launch(CAPTURE);
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
    return Clusters.slotMicros(folder.resolve("postgres").resolve(EmbeddedServers.SOURCE));
  }

  @Override
  public Cpu cpu() throws IOException {
    long all = ProcessCpu.nanos(broker.pid());
    for (ChildProcess role : roles.values()) {
      all += ProcessCpu.nanos(role.pid());
    }
    return new Cpu(all, clusters.sourceCpu(), clusters.replicaCpu());
  }

  @Override
  public void close() throws Exception {
    List<AutoCloseable> parts = new ArrayList<>(roles.values());
    parts.add(replica);
    parts.add(broker);
    parts.add(clusters);
    for (AutoCloseable part : parts) {
      part.close();
    }
    TemporaryFolder.deleteRecursively(folder);
  }
}
