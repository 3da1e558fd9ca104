package dev.tidemark.tests;

import static dev.tidemark.topics.schema.Roles.CAPTURE;
import static dev.tidemark.topics.schema.Roles.GATEWAY;
import static dev.tidemark.topics.schema.Roles.PROJECTOR;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.tidemark.capture.Capture;
import dev.tidemark.gateway.Gateway;
import dev.tidemark.projector.Projector;
import dev.tidemark.standalone.EmbeddedDatabase;
import dev.tidemark.standalone.client.Answer;
import dev.tidemark.standalone.client.GatewayClient;
import dev.tidemark.standalone.data.InstallationException;
import dev.tidemark.standalone.role.RoleFile;
import dev.tidemark.standalone.role.SignIn;
import dev.tidemark.tests.harness.Servers;
import dev.tidemark.tests.harness.TestPipeline;
import dev.tidemark.topics.route.RouteFile;
import dev.tidemark.topics.route.RouteFileParser;
import dev.tidemark.topics.schema.Migration;
import dev.tidemark.topics.schema.Roles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The three roles, each with what one configuration file says to it. */
class RolesTest {

  private static final String NAME = "roles" + ProcessHandle.current().pid();

  private final Servers servers = Servers.shared();
  private final EmbeddedDatabase source = new EmbeddedDatabase(servers.source(), NAME + "_source");
  private final EmbeddedDatabase replica =
      new EmbeddedDatabase(servers.replica(), NAME + "_replica");

  @TempDir private Path folder = Path.of("");

  @Test
  void rolesOfOneFileAnswerAGatedReadWithTheWriteThatItNames() throws Exception {
    migrate();
    Path file = writeFile();
    Map<String, String> environment =
        Map.of("GATEWAY_PASSWORD", servers.secrets().password(GATEWAY.roleName()));
    try (Capture capture = Capture.start(RoleFile.capture(file, environment));
        Projector projector = Projector.start(RoleFile.projector(file, environment));
        Gateway gateway = Gateway.start(RoleFile.gateway(file, environment));
        GatewayClient client =
            new GatewayClient(
                "http://127.0.0.1:" + gateway.port(), servers.issuer(), "acme", List.of())) {
      Answer written = client.put("/api/doc/Waybill/WB-1", "{\"ops_status\":\"Delivered\"}");
      assertThat(written.status()).isEqualTo(201);
      Map<String, String> gate =
          Map.of("X-Required-LSN", written.header("X-Tx-LSN"), "Prefer", "wait=2");
      Answer read =
          await()
              .atMost(TestPipeline.LIMIT)
              .until(
                  () -> client.get("/api/replica/" + NAME + "?name=WB-1", gate),
                  answer -> answer.status() != 202);
      assertThat(read.status()).isEqualTo(200);
      assertThat(read.json().path("rows").path(0).path("ops_status").asText())
          .isEqualTo("Delivered");
      assertThat(capture.problem()).isEmpty();
      // The table topics may still wait for the log topic when the replica has the write already.
      await().atMost(TestPipeline.LIMIT).until(() -> projector.problem().isEmpty());
    } finally {
      run(source, "select pg_drop_replication_slot('" + NAME + "')");
    }
  }

  @Test
  void signInIsRefusedByAServerThatIsThereAlone() {
    String url = servers.source().jdbcUrl("postgres");
    assertThatThrownBy(() -> SignIn.check(url, "nobody_at_all", "topsecret"))
        .isInstanceOf(InstallationException.class)
        .hasMessageStartingWith("nobody_at_all at " + url + " is refused by the server: ")
        .hasMessageNotContaining("topsecret");
    assertThatCode(() -> SignIn.check("jdbc:postgresql://127.0.0.1:1/x", "nobody", "topsecret"))
        .doesNotThrowAnyException();
  }

  private void migrate() throws SQLException {
    source.cluster().createDatabase(source.name());
    replica.cluster().createDatabase(replica.name());
    RouteFile routes = RouteFileParser.parse("routes.yaml", routes());
    try (Connection to = replica.connect();
        Connection from = source.connect()) {
      Migration.replica(to, routes, Migration.source(from, routes));
    }
    for (Roles role : List.of(CAPTURE, PROJECTOR, GATEWAY)) {
      String password = servers.secrets().password(role.roleName());
      source.cluster().setPassword(role.roleName(), password);
      replica.cluster().setPassword(role.roleName(), password);
    }
  }

  private static String routes() {
    return """
        slot: %1$s
        publication: %1$s
        routes:
          - doctype: Waybill
            target: %1$s
            columns: [ { name: ops_status, from: ops_status } ]
        """
        .formatted(NAME);
  }

  private Path writeFile() throws IOException {
    Files.writeString(folder.resolve("routes.yaml"), routes());
    Files.writeString(folder.resolve("keys.json"), servers.issuer().publicJwkSet().toString());
    Files.writeString(
        folder.resolve("capture.secret"),
        servers.secrets().password(CAPTURE.roleName()) + System.lineSeparator());
    return Files.writeString(
        folder.resolve("tidemark.yaml"),
        """
        instance: test
        routes: routes.yaml
        kafka: { bootstrap: "%s", replicationFactor: 1 }
        source:
          jdbcUrl: %s
          capture: { passwordFile: capture.secret }
          gateway: { passwordEnv: GATEWAY_PASSWORD }
        replica:
          jdbcUrl: %s
          projector: { password: "%s" }
          gateway: { passwordEnv: GATEWAY_PASSWORD }
        projector: { stateFolder: state }
        gateway: { port: 0, jwkSetFile: keys.json, audience: tidemark }
        """
            .formatted(
                servers.kafka().bootstrapServers(),
                source.jdbcUrl(),
                replica.jdbcUrl(),
                servers.secrets().password(PROJECTOR.roleName())));
  }

  private static void run(EmbeddedDatabase database, String sql) throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
