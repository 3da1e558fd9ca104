package dev.tidemark.standalone.role;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.capture.CaptureConfig;
import dev.tidemark.gateway.GatewayConfig;
import dev.tidemark.gateway.TokenKeys;
import dev.tidemark.projector.ProjectorConfig;
import dev.tidemark.standalone.data.InstallationException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every key of the file, and what a role gets when a key is absent. */
class RoleFileTest {

  private static final String ROUTES =
      """
      slot: tidemark_care
      publication: tidemark_care
      routes:
        - doctype: Waybill
          target: replica_waybill
          columns: [ { name: status, from: status } ]
      """;

  private static final String SMALLEST =
      """
      routes: routes.yaml
      kafka: { bootstrap: "broker:9092" }
      source:
        jdbcUrl: jdbc:postgresql://source/app
        capture: { password: c }
        gateway: { password: g }
      replica:
        jdbcUrl: jdbc:postgresql://replica/replica
        projector: { password: p }
        gateway: { password: h }
      projector: { stateFolder: state }
      gateway: { issuer: "https://login.example" }
      """;

  private static final String LARGEST =
      """
      instance: one
      routes: routes.yaml
      kafka: { bootstrap: "b1:9092, b2:9093", replicationFactor: 2 }
      source:
        jdbcUrl: jdbc:postgresql://source/app?sslmode=require
        capture: { user: reader, passwordFile: capture.secret }
        gateway: { user: writer, passwordEnv: GATEWAY }
      replica:
        jdbcUrl: jdbc:postgresql://replica/replica
        projector: { user: applier, passwordEnv: PROJECTOR }
        gateway: { user: answerer, passwordFile: /nowhere/at/all }
      projector: { stateFolder: /var/lib/tidemark }
      gateway:
        host: 0.0.0.0
        port: 8081
        jwkSetUri: https://login.example/keys
        audience: care
        allowedOrigins: [ "https://care.example", "http://localhost:3000" ]
        poolSize: 7
        maxDocumentBytes: 2048
        maxWaitingReads: 300
        requestsPerSecond: 50
        opsPort: 9090
      """;

  @TempDir private Path folder = Path.of("");

  @BeforeEach
  void writeRoutes() throws IOException {
    Files.writeString(folder.resolve("routes.yaml"), ROUTES);
  }

  @Test
  void defaultsOfCapture() throws IOException {
    CaptureConfig config = RoleFile.capture(file(SMALLEST), Map.of());
    assertThat(config.sourceJdbcUrl()).isEqualTo("jdbc:postgresql://source/app");
    assertThat(config.user()).isEqualTo("tidemark_capture");
    assertThat(config.password()).isEqualTo("c");
    assertThat(config.kafkaBootstrap()).isEqualTo("broker:9092");
    assertThat(config.replicationFactor()).isEqualTo((short) 3);
    assertThat(config.routes().slot()).isEqualTo("tidemark_care");
    assertThat(config.instance()).isEqualTo(InetAddress.getLocalHost().getHostName());
  }

  @Test
  void defaultsOfTheProjector() throws IOException {
    ProjectorConfig config = RoleFile.projector(file(SMALLEST), Map.of());
    assertThat(config.replicaJdbcUrl()).isEqualTo("jdbc:postgresql://replica/replica");
    assertThat(config.user()).isEqualTo("tidemark_projector");
    assertThat(config.password()).isEqualTo("p");
    assertThat(config.kafkaBootstrap()).isEqualTo("broker:9092");
    assertThat(config.replicationFactor()).isEqualTo((short) 3);
    assertThat(config.routes().slot()).isEqualTo("tidemark_care");
    assertThat(config.stateFolder()).isEqualTo(folder.resolve("state"));
    assertThat(config.instance()).isEqualTo(InetAddress.getLocalHost().getHostName());
  }

  @Test
  void defaultsOfTheGateway() throws IOException {
    GatewayConfig config = RoleFile.gateway(file(SMALLEST), Map.of());
    assertThat(config.host()).isEqualTo("127.0.0.1");
    assertThat(config.port()).isEqualTo(8080);
    assertThat(config.routes().slot()).isEqualTo("tidemark_care");
    assertThat(config.source().jdbcUrl()).isEqualTo("jdbc:postgresql://source/app");
    assertThat(config.source().user()).isEqualTo("tidemark_gateway");
    assertThat(config.source().password()).isEqualTo("g");
    assertThat(config.source().poolSize()).isEqualTo(10);
    assertThat(config.replica().jdbcUrl()).isEqualTo("jdbc:postgresql://replica/replica");
    assertThat(config.replica().user()).isEqualTo("tidemark_gateway");
    assertThat(config.replica().password()).isEqualTo("h");
    assertThat(config.replica().poolSize()).isEqualTo(10);
    assertThat(config.tokenKeys())
        .isEqualTo(new TokenKeys.Issuer(URI.create("https://login.example")));
    assertThat(config.audience()).isEmpty();
    assertThat(config.allowedOrigins()).isEmpty();
    assertThat(config.pausable()).isEmpty();
    assertThat(config.reports()).isEmpty();
    assertThat(config.maxDocumentBytes()).isEqualTo(8_388_608);
    assertThat(config.maxWaitingReads()).isEqualTo(GatewayConfig.defaultMaxWaitingReads());
    assertThat(config.requestsPerSecond()).isEmpty();
    assertThat(config.opsPort()).isEmpty();
  }

  @Test
  void everyKeyOfCapture() throws IOException {
    Files.writeString(folder.resolve("capture.secret"), " s e c \n");
    CaptureConfig config = RoleFile.capture(file(LARGEST), Map.of());
    assertThat(config.sourceJdbcUrl()).isEqualTo("jdbc:postgresql://source/app?sslmode=require");
    assertThat(config.user()).isEqualTo("reader");
    assertThat(config.password()).isEqualTo(" s e c ");
    assertThat(config.kafkaBootstrap()).isEqualTo("b1:9092, b2:9093");
    assertThat(config.replicationFactor()).isEqualTo((short) 2);
    assertThat(config.instance()).isEqualTo("one");
  }

  @Test
  void everyKeyOfTheProjector() throws IOException {
    ProjectorConfig config = RoleFile.projector(file(LARGEST), Map.of("PROJECTOR", "secret"));
    assertThat(config.user()).isEqualTo("applier");
    assertThat(config.password()).isEqualTo("secret");
    assertThat(config.stateFolder()).isEqualTo(Path.of("/var/lib/tidemark"));
    assertThat(config.instance()).isEqualTo("one");
  }

  @Test
  void everyKeyOfTheGateway() throws IOException {
    Files.writeString(folder.resolve("replica.secret"), "r");
    GatewayConfig config =
        RoleFile.gateway(
            file(LARGEST.replace("/nowhere/at/all", "replica.secret")), Map.of("GATEWAY", "s"));
    assertThat(config.host()).isEqualTo("0.0.0.0");
    assertThat(config.port()).isEqualTo(8081);
    assertThat(config.source().user()).isEqualTo("writer");
    assertThat(config.source().password()).isEqualTo("s");
    assertThat(config.source().poolSize()).isEqualTo(7);
    assertThat(config.replica().user()).isEqualTo("answerer");
    assertThat(config.replica().password()).isEqualTo("r");
    assertThat(config.replica().poolSize()).isEqualTo(7);
    assertThat(config.tokenKeys())
        .isEqualTo(new TokenKeys.JwkSetUri(URI.create("https://login.example/keys")));
    assertThat(config.audience()).contains("care");
    assertThat(config.allowedOrigins())
        .containsExactly("https://care.example", "http://localhost:3000");
    assertThat(config.maxDocumentBytes()).isEqualTo(2048);
    assertThat(config.maxWaitingReads()).isEqualTo(300);
    assertThat(config.requestsPerSecond()).hasValue(50);
    assertThat(config.opsPort()).hasValue(9090);
  }

  @Test
  void keySetIsReadFromItsFile() throws IOException {
    Files.writeString(folder.resolve("keys.json"), "{\"keys\":[]}");
    String yaml = SMALLEST.replace("issuer: \"https://login.example\"", "jwkSetFile: keys.json");
    assertThat(RoleFile.gateway(file(yaml), Map.of()).tokenKeys())
        .isEqualTo(new TokenKeys.JwkSet("{\"keys\":[]}"));
    Files.delete(folder.resolve("keys.json"));
    assertThat(RoleFile.capture(file(yaml), Map.of()).password()).isEqualTo("c");
  }

  @Test
  void roleNeedsOnlyItsOwnSections() throws IOException {
    Path file =
        file(
            """
            routes: routes.yaml
            kafka: { bootstrap: "broker:9092" }
            source: { jdbcUrl: "jdbc:postgresql://source/app", capture: { password: c } }
            """);
    assertThat(RoleFile.capture(file, Map.of()).password()).isEqualTo("c");
  }

  @Test
  void exampleIsReadByAllRoles() {
    Path example = Path.of("..", "examples", "tidemark.yaml");
    Map<String, String> environment =
        Map.of(
            "TIDEMARK_CAPTURE_PASSWORD", "c",
            "TIDEMARK_PROJECTOR_PASSWORD", "p",
            "TIDEMARK_GATEWAY_PASSWORD", "g");
    assertThat(RoleFile.capture(example, environment).password()).isEqualTo("c");
    assertThat(RoleFile.projector(example, environment).password()).isEqualTo("p");
    assertThat(RoleFile.gateway(example, environment).source().password()).isEqualTo("g");
  }

  @Test
  void missingFileIsSaid() {
    Path file = folder.resolve("absent.yaml");
    assertThatThrownBy(() -> RoleFile.capture(file, Map.of()))
        .isInstanceOf(InstallationException.class)
        .hasMessageContaining("the configuration file " + file + " can't be read");
  }

  @Test
  void noPasswordIsInAnyText() throws IOException {
    String yaml = SMALLEST.replaceAll("password: .", "password: topsecret");
    Path file = file(yaml);
    assertThat(
            RoleFile.capture(file, Map.of())
                + " "
                + RoleFile.projector(file, Map.of())
                + " "
                + RoleFile.gateway(file, Map.of())
                + new Login("jdbc:postgresql://h/d?password=topsecret", "u", "topsecret"))
        .doesNotContain("topsecret");
  }

  private Path file(String yaml) throws IOException {
    return Files.writeString(folder.resolve("tidemark.yaml"), yaml);
  }
}
