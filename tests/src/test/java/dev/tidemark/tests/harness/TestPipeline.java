package dev.tidemark.tests.harness;

import static org.awaitility.Awaitility.await;

import dev.tidemark.gateway.DatabaseConfig;
import dev.tidemark.gateway.Gateway;
import dev.tidemark.gateway.GatewayConfig;
import dev.tidemark.gateway.TokenKeys;
import dev.tidemark.standalone.EmbeddedDatabase;
import dev.tidemark.standalone.Layout;
import dev.tidemark.standalone.Services;
import dev.tidemark.standalone.ServicesConfig;
import dev.tidemark.standalone.client.Answer;
import dev.tidemark.standalone.client.GatewayClient;
import dev.tidemark.standalone.issuer.LocalIssuer;
import dev.tidemark.topics.TopicNames;
import dev.tidemark.topics.route.RouteFile;
import dev.tidemark.topics.route.RouteFileParser;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A whole Tidemark on the shared servers, with two databases, a slot, a publication and topics that
 * no other test has. Not thread-safe, but for its clients.
 */
public final class TestPipeline implements AutoCloseable {

  /** How long a test waits for what is promised, on a slow machine. */
  public static final Duration LIMIT = Duration.ofSeconds(60);

  private static final AtomicInteger NUMBERS = new AtomicInteger();

  private final Servers servers = Servers.shared();
  private final String name;
  private final EmbeddedDatabase source;
  private final EmbeddedDatabase replica;
  private final Map<String, GatewayClient> clients = new HashMap<>();
  private ServicesConfig config;
  private Services services;

  private TestPipeline(
      Layout layout, String routes, List<String> sourceSql, List<String> replicaSql)
      throws SQLException {
    this.name = "t" + ProcessHandle.current().pid() + "_" + NUMBERS.incrementAndGet();
    this.source = new EmbeddedDatabase(servers.source(), name + "_source");
    this.replica =
        new EmbeddedDatabase(
            layout == Layout.ONE_CLUSTER ? servers.source() : servers.replica(), name + "_replica");
    source.cluster().createDatabase(source.name());
    replica.cluster().createDatabase(replica.name());
    for (String sql : sourceSql) {
      source(sql);
    }
    for (String sql : replicaSql) {
      replica(sql);
    }
    this.config = config(routes);
    this.services = Services.start(config);
  }

  /**
   * Starts one in the default layout.
   *
   * @param routes a route file without {@code pipeline}, {@code slot} and {@code publication}
   * @param sourceSql run on the source first, for instance to create routed tables
   */
  public static TestPipeline start(String routes, String... sourceSql) throws SQLException {
    return start(Layout.TWO_CLUSTERS, routes, sourceSql);
  }

  /** Starts one in the given layout. */
  public static TestPipeline start(Layout layout, String routes, String... sourceSql)
      throws SQLException {
    return new TestPipeline(layout, routes, List.of(sourceSql), List.of());
  }

  /** Starts one in the default layout, on databases that SQL was run on first. */
  public static TestPipeline start(String routes, List<String> sourceSql, List<String> replicaSql)
      throws SQLException {
    return new TestPipeline(Layout.TWO_CLUSTERS, routes, sourceSql, replicaSql);
  }

  private ServicesConfig config(String routes) {
    return new ServicesConfig(
        routeFile(routes),
        source,
        replica,
        servers.kafka().bootstrapServers(),
        servers.secrets(),
        servers.issuer(),
        0,
        servers.folder().resolve(name),
        "test");
  }

  /** This pipeline's route file with these routes. */
  public RouteFile routeFile(String routes) {
    return RouteFileParser.parse(
        name + ".yaml",
        "pipeline: " + name + "\nslot: " + name + "\npublication: " + name + "\n" + routes);
  }

  /** Settings of another gateway on the same databases, with the same routes and tokens. */
  public GatewayConfig.Builder gateway() {
    return gateway(
        config.routes(),
        source.jdbcUrl(),
        replica.jdbcUrl(),
        new TokenKeys.JwkSet(servers.issuer().publicJwkSet().toString()));
  }

  /** Settings of another gateway that goes its own way to the databases. */
  public GatewayConfig.Builder gateway(String sourceUrl, String replicaUrl) {
    return gateway(
        config.routes(),
        sourceUrl,
        replicaUrl,
        new TokenKeys.JwkSet(servers.issuer().publicJwkSet().toString()));
  }

  /** Settings of another gateway. */
  public GatewayConfig.Builder gateway(
      RouteFile routes, String sourceUrl, String replicaUrl, TokenKeys keys) {
    return GatewayConfig.builder(
            routes, gatewayDatabase(sourceUrl), gatewayDatabase(replicaUrl), keys)
        .audience(LocalIssuer.AUDIENCE);
  }

  private DatabaseConfig gatewayDatabase(String url) {
    String role = "tidemark_gateway";
    return new DatabaseConfig(url, role, servers.secrets().password(role));
  }

  /** The running services, to pause and to look into. */
  public Services services() {
    return services;
  }

  /** The names of its topics. */
  public TopicNames topics() {
    return new TopicNames(name);
  }

  /** The slot's name. */
  public String slot() {
    return name;
  }

  /** The source database. */
  public EmbeddedDatabase sourceDatabase() {
    return source;
  }

  /** The replica database. */
  public EmbeddedDatabase replicaDatabase() {
    return replica;
  }

  /** Stops the services and starts them again, with other routes or the same. */
  public void restart(String routes) throws Exception {
    stop();
    config = config(routes);
    services = Services.start(config);
  }

  /** Stops the services; the databases and topics stay. */
  public void stop() throws Exception {
    clients.values().forEach(GatewayClient::close);
    clients.clear();
    services.close();
  }

  /** Starts the services again after {@link #stop}. */
  public void startAgain() throws SQLException {
    services = Services.start(config);
  }

  /** A client with a token of the tenant and roles. */
  public GatewayClient client(String tenant, String... roles) {
    return clients.computeIfAbsent(
        tenant + "/" + String.join(",", roles),
        key -> new GatewayClient(services.gatewayUrl(), servers.issuer(), tenant, List.of(roles)));
  }

  /** Sends requests of every kind with a token of the tenant and roles, until the next restart. */
  public Caller caller(String tenant, String... roles) {
    return new Caller(
        services.gatewayUrl(), servers.issuer().issue(tenant, List.of(roles), Duration.ofHours(1)));
  }

  /** The same at another gateway. */
  public Caller caller(Gateway gateway, String tenant, String... roles) {
    return new Caller("http://127.0.0.1:" + gateway.port(), caller(tenant, roles).token());
  }

  /** Sends requests without a token. */
  public Caller stranger() {
    return new Caller(services.gatewayUrl(), "");
  }

  /**
   * Runs statements on the source as the superuser, in one transaction; gives the first column of
   * the last result.
   */
  public List<String> source(String sql) throws SQLException {
    return run(source, sql);
  }

  /** Runs statements on the replica as the superuser, which sees the rows of all tenants. */
  public List<String> replica(String sql) throws SQLException {
    return run(replica, sql);
  }

  /** The source's position now: every commit so far is at or before it. */
  public String position() throws SQLException {
    return source("select pg_current_wal_insert_lsn()::text").getFirst();
  }

  /** Asks with {@code X-Required-LSN} until the answer is not 202 any more. */
  public Answer gated(String path, String lsn, String tenant, String... roles) {
    GatewayClient client = client(tenant, roles);
    return await()
        .atMost(LIMIT)
        .pollInterval(Duration.ofMillis(5))
        .until(
            () -> client.get(path, Map.of("X-Required-LSN", lsn, "Prefer", "wait=2")),
            answer -> answer.status() != 202);
  }

  /** Waits until every partition's watermark is at or after the source's position of now. */
  public void catchUp() throws SQLException {
    String position = position();
    await()
        .atMost(LIMIT)
        .pollInterval(Duration.ofMillis(10))
        .until(
            () ->
                replica("select min(lsn) >= '" + position + "' from tidemark_watermark")
                    .getFirst()
                    .equals("t"));
  }

  private static List<String> run(EmbeddedDatabase database, String sql) throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      List<String> values = new ArrayList<>();
      boolean rows = statement.execute(sql);
      while (rows || statement.getUpdateCount() >= 0) {
        if (rows) {
          values.clear();
          try (ResultSet result = statement.getResultSet()) {
            while (result.next()) {
              values.add(result.getString(1));
            }
          }
        }
        rows = statement.getMoreResults();
      }
      return values;
    }
  }

  @Override
  public void close() throws Exception {
    stop();
    // Its connection may outlive its client by a moment.
    await()
        .atMost(LIMIT)
        .until(
            () -> {
              String ours = " from pg_replication_slots where slot_name = '" + name + "'";
              source("select pg_drop_replication_slot(slot_name)" + ours + " and not active");
              return source("select slot_name" + ours).isEmpty();
            });
  }
}
