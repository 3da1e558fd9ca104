package dev.tidemark.tests.road;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tidemark.standalone.client.Answer;
import dev.tidemark.tests.harness.Caller;
import dev.tidemark.tests.harness.TestPipeline;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a gated read answers in every case that is not the usual one.
 *
 * <p>B24: <a href="https://github.com/pgEdge/control-plane/pull/391">positions compared as
 * text</a>, <a href="https://github.com/ClickHouse/walshadow/issues/19">parsed loosely</a>.
 */
class GateTest {

  private static final String ROUTES =
      """
      partitions: 2
      permissions:
        Waybill: { read: [ops, care], write: [ops] }
        Secret: { read: [boss], write: [boss] }
      routes:
        - doctype: Waybill
          target: replica_waybill
          columns:
            - { name: status, from: status }
        - doctype: Secret
          target: replica_secret
          columns:
            - { name: v, from: v }
      """;

  private static final String ROW = "/api/replica/replica_waybill/W";
  private static final String REQUIRED = "X-Required-LSN";

  private static TestPipeline pipeline;
  private static Caller ops;
  private static Answer written;

  @BeforeAll
  static void start() throws Exception {
    pipeline = TestPipeline.start(ROUTES);
    pipeline.catchUp();
    ops = pipeline.caller("acme", "ops");
    written = ops.put("/api/doc/Waybill/W", "{\"status\":\"a\"}");
    assertThat(ops.gated(ROW, position()).status()).isEqualTo(200);
  }

  @AfterAll
  static void stop() throws Exception {
    pipeline.close();
  }

  @AfterEach
  void resume() throws Exception {
    pipeline.caller("acme", "admin").put("/api/ops/paused/projector", "false");
  }

  private static String position() {
    return written.header("X-Tx-LSN");
  }

  private static void pause() throws Exception {
    assertThat(pipeline.caller("acme", "admin").put("/api/ops/paused/projector", "true").status())
        .isEqualTo(204);
  }

  private static void assertProblem(Answer answer, int status, String kind) {
    assertThat(answer.status()).isEqualTo(status);
    assertThat(answer.header("Content-Type")).startsWith("application/problem+json");
    assertThat(answer.json().path("type").asText()).isEqualTo("urn:tidemark:problem:" + kind);
    assertThat(answer.json().path("status").asInt()).isEqualTo(status);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0",
        "0/",
        "/1",
        "0/G",
        "0/123456789",
        "-1/0",
        "0x10",
        "1/2/3",
        "'; drop table x",
        "18446744073709551616",
        "0x1/0",
        "123456789/0",
        "1/",
        "",
        "26123456",
        "0/1,",
        "0/1 0/2",
        "newest"
      })
  @DisplayName("B24 a malformed position is refused")
  void aMalformedPositionIsRefused(String text) throws Exception {
    assertProblem(ops.get(ROW, REQUIRED, text), 400, "malformed-lsn");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0/0", "0/0000000a", "00000000/A"})
  @DisplayName("B24 every text of a position that PostgreSQL takes is taken")
  void everyTextOfAPositionThatPostgresTakesIsTaken(String text) throws Exception {
    assertThat(ops.get(ROW, REQUIRED, text).status()).isEqualTo(200);
  }

  @Test
  void latestIncludesEveryWriteThatWasAnswered() throws Exception {
    ops.put("/api/doc/Waybill/L", "{\"status\":\"newest\"}");

    Answer answer =
        ops.get("/api/replica/replica_waybill/L", REQUIRED, "latest", "Prefer", "wait=30");

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.json().path("status").asText()).isEqualTo("newest");
  }

  @Test
  @DisplayName("B24 the largest of several positions counts")
  void theLargestOfSeveralPositionsCounts() throws Exception {
    pause();
    String later = ops.put("/api/doc/Waybill/S", "{\"status\":\"a\"}").header("X-Tx-LSN");

    assertThat(ops.get(ROW, REQUIRED, position() + ", 0/1").status()).isEqualTo(200);
    assertThat(ops.get(ROW, REQUIRED, later + ", " + position()).status()).isEqualTo(202);
    assertThat(ops.get(ROW, REQUIRED, position(), REQUIRED, later).status()).isEqualTo(202);
    assertThat(
            ops.get(ROW, REQUIRED, later, REQUIRED, position()).json().path("requiredLsn").asText())
        .isEqualTo(later);
  }

  @Test
  void aReaderThatPrefersToWaitIsAnsweredInSync() throws Exception {
    for (int i = 0; i < 20; i++) {
      Answer write = ops.put("/api/doc/Waybill/P", "{\"status\":\"" + i + "\"}");

      Answer answer =
          ops.get(
              "/api/replica/replica_waybill/P",
              REQUIRED,
              write.header("X-Tx-LSN"),
              "Prefer",
              "wait=30");

      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.json().path("status").asText()).isEqualTo(Integer.toString(i));
      assertThat(answer.header("Preference-Applied")).isEqualTo("wait=30");
    }
  }

  @Test
  void whileTheProjectorIsPausedAGatedReadIsPendingAndOthersAreServed() throws Exception {
    pause();
    String later = ops.put("/api/doc/Waybill/W", "{\"status\":\"later\"}").header("X-Tx-LSN");

    for (String path : List.of(ROW, "/api/replica/replica_waybill?name=W")) {
      Answer pending = ops.get(path, REQUIRED, later, "Prefer", "wait=1");
      assertThat(pending.status()).isEqualTo(202);
      assertThat(pending.json().properties().stream().map(java.util.Map.Entry::getKey))
          .containsExactlyInAnyOrder("status", "requiredLsn", "replicatedLsn", "retryAfterMs");
      assertThat(pending.json().path("status").asText()).isEqualTo("sync-pending");
      assertThat(pending.header("Retry-After")).isNotEmpty();
      assertThat(pending.header("Cache-Control")).contains("no-store");
    }
    Answer asItIs = ops.get(ROW);
    assertThat(asItIs.status()).isEqualTo(200);
    assertThat(asItIs.json().path("status").asText()).isNotEqualTo("later");
    assertThat(asItIs.header("X-Replicated-LSN")).isNotEmpty();
    resume();
    assertThat(ops.gated(ROW, later).json().path("status").asText()).isEqualTo("later");
  }

  @Test
  void theHistoryOfTheWriteIsAcceptedAndAnotherRefused() throws Exception {
    String history = written.header("X-Tx-Generation");
    assertThat(history).isNotEmpty();

    assertThat(ops.get(ROW, REQUIRED, position(), "X-Required-Generation", history).status())
        .isEqualTo(200);
    assertProblem(
        ops.get(ROW, REQUIRED, position(), "X-Required-Generation", "another"),
        409,
        "history-changed");
  }

  @ParameterizedTest
  @ValueSource(strings = {"FFFFFFFF/FFFFFFFF", "80000000/0", "7FFFFFFF/FFFFFFFF"})
  @DisplayName("B24 a position beyond the end of the log is refused, also with the highest bit set")
  void aPositionBeyondTheSourcesLogIsRefused(String beyond) throws Exception {
    assertProblem(ops.get(ROW, REQUIRED, beyond), 409, "position-beyond-source");
  }

  @Test
  void anUnknownTargetIsNotFound() throws Exception {
    for (String target :
        List.of("nothing", "tidemark_watermark", "pg_class", "replica_waybill%20")) {
      assertProblem(ops.get("/api/replica/" + target), 404, "unknown-target");
    }
  }

  @Test
  void anotherTenantsRowLooksLikeNoRow() throws Exception {
    Caller globex = pipeline.caller("globex", "ops");
    String latest = pipeline.position();
    Answer foreign = globex.gated(ROW, latest);
    Answer missing = globex.gated("/api/replica/replica_waybill/nothing", latest);

    assertProblem(foreign, 404, "no-such-row");
    assertThat(withoutPosition(foreign)).isEqualTo(withoutPosition(missing));
    assertThat(globex.get("/api/replica/replica_waybill?name=W").json().path("rows")).isEmpty();
    assertProblem(globex.get("/api/doc/Waybill/W"), 404, "no-such-document");
  }

  private static JsonNode withoutPosition(Answer answer) {
    return ((com.fasterxml.jackson.databind.node.ObjectNode) answer.json())
        .without(List.of("replicatedLsn", "instance"));
  }

  @Test
  void aRoleThatIsMissingIsRefused() throws Exception {
    Caller care = pipeline.caller("acme", "care");

    for (String path : List.of("/api/replica/replica_secret", "/api/replica/replica_secret/S")) {
      assertProblem(care.get(path), 403, "permission-denied");
      assertProblem(care.get(path, REQUIRED, position()), 403, "permission-denied");
    }
    assertProblem(care.get("/api/doc/Secret/S"), 403, "permission-denied");
    assertProblem(care.put("/api/doc/Waybill/X", "{}"), 403, "permission-denied");
    assertProblem(care.patch("/api/doc/Waybill/W", "{}"), 403, "permission-denied");
    assertProblem(care.delete("/api/doc/Waybill/W"), 403, "permission-denied");
    assertProblem(care.put("/api/ops/paused/projector", "true"), 403, "permission-denied");
  }

  @Test
  void withoutATokenNothingIsServed() throws Exception {
    for (String path : List.of(ROW, "/api/doc/Waybill/W", "/api/sync/status", "/api/replica/no")) {
      assertProblem(pipeline.stranger().get(path), 401, "token-missing");
    }
    assertProblem(
        new Caller(pipeline.services().gatewayUrl(), "not.a.token").get(ROW), 401, "token-invalid");
  }
}
