package dev.tidemark.tests.harness;

import dev.tidemark.gateway.DatabaseConfig;
import dev.tidemark.gateway.Gateway;
import dev.tidemark.gateway.GatewayConfig;
import dev.tidemark.gateway.TokenKeys;
import dev.tidemark.standalone.EmbeddedDatabase;
import dev.tidemark.standalone.issuer.LocalIssuer;
import dev.tidemark.standalone.postgres.EmbeddedPostgres;
import dev.tidemark.topics.ServerIdentity;
import dev.tidemark.topics.route.Route;
import dev.tidemark.topics.route.RouteFile;
import dev.tidemark.topics.route.RouteFileParser;
import dev.tidemark.topics.schema.Migration;
import dev.tidemark.topics.schema.Roles;
import java.net.URI;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

/**
 * A gateway on two databases that nobody else writes to: no capture, no projector. The test moves
 * the watermark by hand, so it stands still while it must, and passes at one moment. One route,
 * {@code replica_note} with {@code n} and {@code secret}, of the document type {@code Note}. Not
 * thread-safe.
 */
public final class BareGateway implements AutoCloseable {

  /** The table's path. */
  public static final String ROWS = "/api/replica/replica_note";

  private static final int PARTITIONS = 2;
  private static final int GENERATION = 7;
  private static final AtomicInteger NUMBERS = new AtomicInteger();

  private final Servers servers = Servers.shared();
  private final EmbeddedDatabase source;
  private final EmbeddedDatabase replica;
  private final RouteFile routes;
  private final Gateway gateway;

  private BareGateway(
      EmbeddedPostgres sourceCluster,
      EmbeddedPostgres replicaCluster,
      UnaryOperator<GatewayConfig.Builder> settings)
      throws SQLException {
    String name = "b" + ProcessHandle.current().pid() + "_" + NUMBERS.incrementAndGet();
    source = new EmbeddedDatabase(sourceCluster, name + "_source");
    replica = new EmbeddedDatabase(replicaCluster, name + "_replica");
    source.cluster().createDatabase(source.name());
    replica.cluster().createDatabase(replica.name());
    routes =
        RouteFileParser.parse(
            name + ".yaml",
            """
            pipeline: %1$s
            slot: %1$s
            publication: %1$s
            partitions: %2$d
            permissions:
              Note: { read: [reader], write: [writer] }
            routes:
              - doctype: Note
                target: replica_note
                columns:
                  - { name: n, from: n, type: integer }
                  - { name: secret, from: secret }
            """
                .formatted(name, PARTITIONS));
    try (Connection to = replica.connect();
        Connection from = source.connect()) {
      Migration.replica(to, routes, Migration.source(from, routes));
    }
    String password = servers.secrets().password(Roles.GATEWAY.roleName());
    source.cluster().setPassword(Roles.GATEWAY.roleName(), password);
    replica.cluster().setPassword(Roles.GATEWAY.roleName(), password);
    beginGeneration(GENERATION);
    GatewayConfig.Builder builder =
        GatewayConfig.builder(
                routes,
                new DatabaseConfig(source.jdbcUrl(), Roles.GATEWAY.roleName(), password),
                new DatabaseConfig(replica.jdbcUrl(), Roles.GATEWAY.roleName(), password),
                new TokenKeys.JwkSet(servers.issuer().publicJwkSet().toString()))
            .audience(LocalIssuer.AUDIENCE);
    gateway = Gateway.start(settings.apply(builder).build());
  }

  /** Starts one with the defaults, but for what is changed, on the shared clusters. */
  public static BareGateway start(UnaryOperator<GatewayConfig.Builder> settings)
      throws SQLException {
    return new BareGateway(Servers.shared().source(), Servers.shared().replica(), settings);
  }

  /** Starts one on other clusters, which may be one. */
  public static BareGateway start(EmbeddedPostgres source, EmbeddedPostgres replica)
      throws SQLException {
    return new BareGateway(source, replica, builder -> builder);
  }

  /**
   * Makes the watermarks those of a generation of the source as it is now, at 0/1, with complete
   * tables, and a projector that has just reported.
   */
  public void beginGeneration(int number) throws SQLException {
    List<String> server =
        row(source, "select " + ServerIdentity.COLUMNS + " from pg_catalog.pg_control_system()");
    String history =
        new ServerIdentity(server.get(0), Integer.parseInt(server.get(1)), server.get(2))
            .generation(number)
            .history();
    replica(
        "update tidemark_watermark set generation = %d, history = '%s', lsn = '0/1', reported_at = now() + interval '1 hour'"
            .formatted(number, history));
    for (Route route : routes.routes()) {
      replica(
          "insert into tidemark_route select pipeline, '%s', partition, '%s', %d from tidemark_watermark on conflict do nothing"
              .formatted(route.target(), route.fingerprint(), number));
    }
  }

  /** Moves the watermarks of all partitions, with the notification that a projector sends. */
  public void watermark(String lsn) throws SQLException {
    replica(
        "with moved as (update tidemark_watermark set lsn = '%s', updated_at = now() returning pg_notify('tidemark_watermark', pipeline || ' ' || partition || ' ' || lsn)) select count(*) from moved"
            .formatted(lsn));
  }

  /** Puts rows {@code R0} to {@code R(count-1)} of a tenant into the replica table. */
  public void rows(String tenant, int count) throws SQLException {
    replica(
        "insert into replica_note (tenant_id, name, n, secret, source_lsn, updated_at, tidemark_generation) select '%s', 'R' || i, i, 'hush-' || i || '-of-%s', '0/1', now(), %d from generate_series(0, %d) i"
            .formatted(tenant, tenant, GENERATION, count - 1));
  }

  /** The source's position now. */
  public String position() throws SQLException {
    return row(source, "select pg_current_wal_insert_lsn()::text").getFirst();
  }

  /** Runs a statement on the replica as the superuser. */
  public void replica(String sql) throws SQLException {
    try (Connection connection = replica.connect();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static List<String> row(EmbeddedDatabase database, String sql) throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      List<String> values = new ArrayList<>();
      for (int i = 1; i <= row.getMetaData().getColumnCount(); i++) {
        values.add(row.getString(i));
      }
      return values;
    }
  }

  /** The source database. */
  public EmbeddedDatabase sourceDatabase() {
    return source;
  }

  /** The replica database. */
  public EmbeddedDatabase replicaDatabase() {
    return replica;
  }

  /** The gateway. */
  public Gateway gateway() {
    return gateway;
  }

  /** Where it answers. */
  public URI uri() {
    return URI.create("http://127.0.0.1:" + gateway.port());
  }

  /** Sends requests with a token of the tenant and roles. */
  public Caller caller(String tenant, String... roles) {
    return bearer(servers.issuer().issue(tenant, List.of(roles), Duration.ofHours(1)));
  }

  /** Sends requests with a token; an empty one is none. */
  public Caller bearer(String token) {
    return new Caller(uri().toString(), token);
  }

  @Override
  public void close() {
    gateway.close();
  }
}
