package dev.tidemark.tests.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tidemark.gateway.Gateway;
import dev.tidemark.standalone.client.Answer;
import dev.tidemark.tests.harness.Servers;
import dev.tidemark.tests.harness.TestPipeline;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * What the contract is asked of: one pipeline that all classes share, with a document route, a
 * table with a key of two columns and one whose changes may be set aside, and further gateways on
 * the same databases. Not thread-safe, but for its callers.
 */
final class ContractScene implements AutoCloseable {

  static final String ROUTES =
      """
      partitions: 2
      permissions:
        Waybill: { read: [ops, care], write: [ops] }
      routes:
        - doctype: Waybill
          target: replica_waybill
          columns:
            - { name: ops_status, from: ops_status }
            - { name: scans, from: scan_log, transform: length, type: integer }
        - table: stock
          tenant: tenant
          target: replica_stock
          key: [site, item]
          columns:
            - { name: site, from: site }
            - { name: item, from: item }
            - { name: n, from: n }
        - table: note
          tenant: tenant
          target: replica_note
          on_error: quarantine
          columns:
            - { name: doc, from: doc, type: jsonb }
      """;

  private final TestPipeline pipeline;
  private final AnswerCheck check = new AnswerCheck();

  private ContractScene() throws SQLException {
    pipeline =
        TestPipeline.start(
            ROUTES,
            "create table stock(tenant text, site text, item text, n int, primary key (site, item))",
            "create table note(id int primary key, tenant text not null, doc json)");
    pipeline.catchUp();
  }

  /** Hands the scene to tests, and closes it when the last class that was asked for has run. */
  static final class Stage implements ParameterResolver {

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
      return parameter.getParameter().getType() == ContractScene.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
      return context
          .getRoot()
          .getStore(ExtensionContext.Namespace.create(Stage.class))
          .computeIfAbsent(ContractScene.class, key -> opened(), ContractScene.class);
    }

    private static ContractScene opened() {
      try {
        return new ContractScene();
      } catch (SQLException e) {
        throw new IllegalStateException("the scene of the contract tests did not open", e);
      }
    }
  }

  TestPipeline pipeline() {
    return pipeline;
  }

  AnswerCheck check() {
    return check;
  }

  /** May read and write. */
  ContractCaller ops() {
    return caller("acme", "ops");
  }

  /** May read. */
  ContractCaller care() {
    return caller("acme", "care");
  }

  /** May pause roles, and nothing else. */
  ContractCaller admin() {
    return caller("acme", "admin");
  }

  ContractCaller stranger() {
    return new ContractCaller(url(), "", check);
  }

  ContractCaller caller(String tenant, String... roles) {
    return new ContractCaller(url(), token(tenant, roles), check);
  }

  /** The same rights at another gateway. */
  ContractCaller at(Gateway gateway, String... roles) {
    return new ContractCaller(url(gateway), token("acme", roles), check);
  }

  String url() {
    return pipeline.services().gatewayUrl();
  }

  static String url(Gateway gateway) {
    return "http://127.0.0.1:" + gateway.port();
  }

  String token(String tenant, String... roles) {
    return Servers.shared().issuer().issue(tenant, List.of(roles), Duration.ofHours(1));
  }

  /** Writes a document; gives the answer. */
  Answer write(String name, String json) throws IOException, InterruptedException {
    Answer written = ops().put("/api/doc/Waybill/" + name, json);
    assertThat(written.status()).isIn(200, 201);
    return written;
  }

  /** Asks with {@code X-Required-LSN} until the answer is not 202 any more. */
  Answer inSync(ContractCaller caller, String path, String position) {
    return await()
        .atMost(TestPipeline.LIMIT)
        .pollInterval(Duration.ofMillis(5))
        .until(
            () -> caller.get(path, "X-Required-LSN", position, "Prefer", "wait=5"),
            answer -> answer.status() != 202);
  }

  /** Stops or starts the projector, as an administrator does. */
  void pauseProjector(boolean paused) throws IOException, InterruptedException {
    assertThat(admin().put("/api/ops/paused/projector", Boolean.toString(paused)).status())
        .isEqualTo(204);
  }

  /** Asserts that the answer is a problem of this type. */
  static void assertProblem(Answer answer, String type) {
    assertThat(answer.header("Content-Type")).startsWith("application/problem+json");
    assertThat(answer.json().path("type").asText()).isEqualTo("urn:tidemark:problem:" + type);
    assertThat(answer.json().path("status").asInt()).isEqualTo(answer.status());
  }

  @Override
  public void close() throws Exception {
    pipeline.close();
  }
}
