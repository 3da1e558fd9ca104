package dev.tidemark.tests.prove.system;

import dev.tidemark.gateway.DatabaseConfig;
import dev.tidemark.gateway.Gateway;
import dev.tidemark.gateway.GatewayConfig;
import dev.tidemark.gateway.TokenKeys;
import dev.tidemark.standalone.Services;
import dev.tidemark.standalone.data.Secrets;
import dev.tidemark.standalone.data.TemporaryFolder;
import dev.tidemark.standalone.issuer.LocalIssuer;
import dev.tidemark.standalone.kafka.EmbeddedKafka;
import dev.tidemark.standalone.postgres.EmbeddedPostgres;
import dev.tidemark.standalone.postgres.PostgresBinaries;
import dev.tidemark.standalone.postgres.PostgresConfig;
import dev.tidemark.topics.route.RouteFile;
import dev.tidemark.topics.route.RouteFileParser;
import dev.tidemark.topics.schema.Migration;
import dev.tidemark.topics.schema.Roles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * A whole Tidemark in a folder: two databases, a broker and the gateway of this JVM, and two
 * processes each of capture and projector. {@link #close} leaves no process behind, whatever state
 * they are in, and may be called by any thread, also while it starts. The rest is thread-safe.
 */
public final class Tidemark implements AutoCloseable {

  private static final int POOL_SIZE = 12;

  private final Path folder;
  private final Path logs;
  private final Secrets secrets;
  private final LocalIssuer issuer;
  private final RouteFile routes;
  private final List<AutoCloseable> parts = new ArrayList<>();
  private final Database source;
  private final Database replica;
  private final List<RoleProcess> captures = new ArrayList<>();
  private final List<RoleProcess> projectors = new ArrayList<>();
  private volatile EmbeddedKafka kafka;
  private final Gateway gateway;
  private final Object closing = new Object();
  private boolean closed;

  private Tidemark(Path folder, Path logs) throws Exception {
    this.folder = folder;
    this.logs = logs;
    this.secrets = Secrets.loadOrCreate(folder, Services.ROLES);
    this.issuer = LocalIssuer.loadOrCreate(folder);
    this.routes = RouteFileParser.parse("routes.yaml", Schema.routes());
    Runtime.getRuntime().addShutdownHook(new Thread(this::closeQuietly, "prove-shutdown"));
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<Database> one = threads.submit(() -> database("source"));
      Future<Database> other = threads.submit(() -> database("replica"));
      Future<EmbeddedKafka> broker = threads.submit(this::broker);
      this.source = one.get();
      this.replica = other.get();
      this.kafka = broker.get();
    } catch (ExecutionException e) {
      throw new IOException("a server did not start", e.getCause());
    }
    migrate();
    writeFiles();
    for (int i = 1; i <= 2; i++) {
      captures.add(role("capture", "capture-" + i));
      projectors.add(role("projector", "projector-" + i));
    }
    this.gateway = part(() -> Gateway.start(gatewayConfig()));
  }

  /**
   * Starts one.
   *
   * @param folder empty; takes all data
   * @param logs takes what the roles print
   */
  public static Tidemark start(Path folder, Path logs) throws Exception {
    return new Tidemark(folder, logs);
  }

  /** Starts a part, unless all is being closed; a part that is there is closed in any case. */
  private <T extends AutoCloseable> T part(Callable<T> start) throws Exception {
    T started = start.call();
    synchronized (parts) {
      if (closed) {
        started.close();
        throw new IOException("stopped while it started");
      }
      parts.add(started);
    }
    return started;
  }

  private Database database(String name) throws Exception {
    return part(
        () ->
            Database.start(
                new PostgresConfig(
                    folder.resolve(name),
                    PostgresBinaries.DEFAULT_VERSION,
                    secrets.password(EmbeddedPostgres.SUPERUSER)),
                name));
  }

  private EmbeddedKafka broker() throws Exception {
    return part(() -> EmbeddedKafka.start(folder.resolve("kafka")));
  }

  private RoleProcess role(String role, String instance) throws Exception {
    return part(
        () ->
            new RoleProcess(
                role,
                instance,
                folder.resolve(instance + ".yaml"),
                logs.resolve(instance + ".log")));
  }

  private void migrate() throws SQLException {
    source.run(Schema.sourceSql());
    try (Connection to = replica.connect();
        Connection from = source.connect()) {
      Migration.replica(to, routes, Migration.source(from, routes));
    }
    for (Roles role : Roles.values()) {
      if (role != Roles.OWNER) {
        source.password(role.roleName(), secrets.password(role.roleName()));
        replica.password(role.roleName(), secrets.password(role.roleName()));
      }
    }
    source.run(Schema.ASYNCHRONOUS);
    replica.run(Schema.readerSql(secrets.password(Roles.GATEWAY.roleName())));
  }

  private void writeFiles() throws IOException {
    Files.writeString(folder.resolve("routes.yaml"), Schema.routes());
    for (String instance : List.of("capture-1", "capture-2", "projector-1", "projector-2")) {
      Files.writeString(
          folder.resolve(instance + ".yaml"),
          """
          instance: %1$s
          routes: routes.yaml
          kafka: { bootstrap: "%2$s", replicationFactor: 1 }
          source:
            jdbcUrl: %3$s
            capture: { password: "%5$s" }
          replica:
            jdbcUrl: %4$s
            projector: { password: "%6$s" }
          projector: { stateFolder: state-%1$s }
          """
              .formatted(
                  instance,
                  kafka.bootstrapServers(),
                  source.jdbcUrl(),
                  replica.jdbcUrl(),
                  secrets.password(Roles.CAPTURE.roleName()),
                  secrets.password(Roles.PROJECTOR.roleName())));
    }
  }

  private GatewayConfig gatewayConfig() {
    String user = Roles.GATEWAY.roleName();
    String password = secrets.password(user);
    return GatewayConfig.builder(
            routes,
            new DatabaseConfig(source.jdbcUrl(), user, password, POOL_SIZE),
            new DatabaseConfig(replica.jdbcUrl(), user, password, POOL_SIZE),
            new TokenKeys.JwkSet(issuer.publicJwkSet().toString()))
        .audience(LocalIssuer.AUDIENCE)
        .build();
  }

  /** The source. */
  public Database source() {
    return source;
  }

  /** The replica. */
  public Database replica() {
    return replica;
  }

  /** A connection to the replica that row-level security binds. */
  public Connection reader() throws SQLException {
    return replica.connect(Schema.READER, secrets.password(Roles.GATEWAY.roleName()));
  }

  /** The processes of capture. */
  public List<RoleProcess> captures() {
    return List.copyOf(captures);
  }

  /** The processes of the projector. */
  public List<RoleProcess> projectors() {
    return List.copyOf(projectors);
  }

  /** Signs tokens that the gateway accepts. */
  public LocalIssuer issuer() {
    return issuer;
  }

  /** The gateway's base URL, without a slash at its end. */
  public String gatewayUrl() {
    return "http://127.0.0.1:" + gateway.port();
  }

  /** Where Kafka's clients begin. */
  public String kafkaBootstrap() {
    return kafka.bootstrapServers();
  }

  /** Stops the broker. */
  public void stopBroker() {
    kafka.close();
  }

  /** Starts the broker again, at its old address. */
  public void startBroker() throws Exception {
    String before = kafka.bootstrapServers();
    kafka = broker();
    if (!kafka.bootstrapServers().equals(before)) {
      throw new IOException("somebody else has taken the broker's address " + before);
    }
  }

  /** Stops everything and removes the folder. */
  @Override
  public void close() throws Exception {
    synchronized (closing) {
      stop();
      TemporaryFolder.deleteRecursively(folder);
    }
  }

  private void stop() throws Exception {
    List<AutoCloseable> open;
    synchronized (parts) {
      closed = true;
      open = new ArrayList<>(parts);
      parts.clear();
    }
    // The roles first: without their servers they would only complain.
    List<AutoCloseable> last = new ArrayList<>();
    @Nullable Exception failure = null;
    for (AutoCloseable part : open) {
      if (part instanceof RoleProcess) {
        part.close();
      } else {
        last.addFirst(part);
      }
    }
    for (AutoCloseable part : last) {
      try {
        part.close();
      } catch (Exception e) {
        failure = failure == null ? e : failure;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  private void closeQuietly() {
    try {
      close();
    } catch (Exception e) {
      System.err.println("prove did not stop cleanly: " + e);
    }
  }
}
