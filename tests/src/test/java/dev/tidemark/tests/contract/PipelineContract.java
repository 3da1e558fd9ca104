package dev.tidemark.tests.contract;

import static dev.tidemark.tests.contract.ContractScene.assertProblem;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tidemark.gateway.Gateway;
import dev.tidemark.standalone.client.Answer;
import dev.tidemark.tests.harness.EventStream;
import dev.tidemark.tests.harness.TestPipeline;
import dev.tidemark.topics.Lsn;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** State, stream, pausing, health, metrics and the description itself. */
@ExtendWith(ContractScene.Stage.class)
class PipelineContract {

  private static final String PAUSED = "/api/ops/paused/";

  @Test
  void theStatusTellsPositionsLagAndSlot(ContractScene scene) throws Exception {
    scene.write("P1", "{}");
    scene.pipeline().catchUp();

    Answer answer = scene.caller("globex").get("/api/sync/status");

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.json().path("workerReporting").asBoolean()).isTrue();
    assertThat(answer.json().path("partitions")).hasSize(2);
    assertThat(answer.json().at("/slot/name").asText()).isEqualTo(scene.pipeline().slot());
    assertThat(answer.json().path("routes")).hasSize(3);
    assertThat(answer.json().at("/paused/projector").isBoolean()).isTrue();
    assertThat(answer.json().at("/snapshot/complete").asBoolean()).isTrue();
    assertThat(
            Lsn.parse(answer.json().path("currentLsn").asText())
                .reaches(Lsn.parse(answer.json().path("replicatedLsn").asText())))
        .isTrue();
  }

  @Test
  void theStreamTellsTheWatermarkAtOnceAndWithEachChangeAndTheStatus(ContractScene scene)
      throws Exception {
    try (EventStream stream = EventStream.open(scene.url(), scene.caller("globex").token())) {
      scene.check().check("GET", "/api/sync/stream", stream.answer());
      EventStream.Event first = stream.next("watermark");
      Lsn written = Lsn.parse(scene.write("P2", "{}").header("X-Tx-LSN"));

      scene.check().checkEvent("watermark", first.data());
      scene.check().checkEvent("status", stream.next("status").data());
      await()
          .atMost(TestPipeline.LIMIT)
          .pollInSameThread()
          .until(
              () -> {
                EventStream.Event event = stream.next("watermark");
                scene.check().checkEvent("watermark", event.data());
                return Lsn.parse(event.json().path("replicatedLsn").asText()).reaches(written);
              });
    }
  }

  @Test
  void anAdministratorPausesAndResumesRoles(ContractScene scene) throws Exception {
    ContractCaller admin = scene.admin();
    for (String role : List.of("projector", "capture")) {
      for (boolean paused : List.of(true, false)) {
        assertThat(admin.put(PAUSED + role, Boolean.toString(paused)).status()).isEqualTo(204);
        assertThat(admin.get(PAUSED + role).json().asBoolean()).isEqualTo(paused);
      }
    }
  }

  @Test
  @DisplayName("permission-denied")
  void onlyAnAdministratorPauses(ContractScene scene) throws Exception {
    for (Answer denied :
        List.of(
            scene.ops().put(PAUSED + "projector", "true"), scene.ops().get(PAUSED + "projector"))) {
      assertThat(denied.status()).isEqualTo(403);
      assertProblem(denied, "permission-denied");
      assertThat(denied.json().path("rolesThatMay").toString()).isEqualTo("[\"admin\"]");
    }
  }

  @Test
  @DisplayName("role-not-pausable")
  void aRoleThatDoesNotRunHereIsNotPaused(ContractScene scene) throws Exception {
    for (Answer refused :
        List.of(
            scene.admin().put(PAUSED + "gateway", "true"), scene.admin().get(PAUSED + "gateway"))) {
      assertThat(refused.status()).isEqualTo(404);
      assertProblem(refused, "role-not-pausable");
      assertThat(refused.json().path("pausable").toString())
          .isEqualTo("[\"capture\",\"projector\"]");
    }
  }

  @Test
  @DisplayName("bad-body and body-too-large")
  void neitherTrueNorFalsePausesNothing(ContractScene scene) throws Exception {
    for (String body : List.of("yes", "", "{}", "\"true\"")) {
      Answer refused = scene.admin().put(PAUSED + "projector", body);
      assertThat(refused.status()).isEqualTo(400);
      assertProblem(refused, "bad-body");
    }
    Answer refused = scene.admin().put(PAUSED + "projector", " ".repeat(100) + "true");
    assertThat(refused.status()).isEqualTo(413);
    assertProblem(refused, "body-too-large");
  }

  @Test
  void healthAndMetricsNeedNoToken(ContractScene scene) throws Exception {
    ContractCaller stranger = scene.stranger();

    for (String part : List.of("", "/liveness", "/readiness")) {
      await()
          .atMost(TestPipeline.LIMIT)
          .until(() -> stranger.get("/actuator/health" + part).status() == 200);
    }
    assertThat(stranger.get("/actuator/prometheus").body()).contains("tidemark_watermark_lag_ms");
  }

  @Test
  void whereThereIsAnOpsPortHealthAndMetricsAreServedThereAlone(ContractScene scene)
      throws Exception {
    try (Gateway gateway = Gateway.start(scene.pipeline().gateway().opsPort(0).build())) {
      ContractCaller ops =
          new ContractCaller(
              "http://127.0.0.1:" + gateway.opsPort().orElseThrow(), "", scene.check());
      for (Call call : Call.all(Description.load(), "/actuator/")) {
        assertProblem(call.by(scene.at(gateway, "admin")), "no-such-resource");
        assertThat(call.by(ops).status()).as(call.toString()).isEqualTo(200);
      }
    }
  }

  @Test
  void thePagesNeedNoTokenAndMayBeKept(ContractScene scene) throws Exception {
    ContractCaller stranger = scene.stranger();
    assertThat(stranger.get("/desk").header("Location")).isEqualTo("desk/");
    for (String path : List.of("/desk/", "/desk/tidemark.js", "/desk/desk.css", "/desk/icon.svg")) {
      Answer file = stranger.get(path);
      assertThat(file.status()).as(path).isEqualTo(200);
      assertThat(stranger.get(path, "If-None-Match", file.header("ETag")).status()).isEqualTo(304);
    }
    Answer missing = stranger.get("/desk/nothing.js");
    assertThat(missing.status()).isEqualTo(404);
    assertProblem(missing, "no-such-resource");
  }

  @Test
  void theDescriptionNeedsNoTokenAndIsThatOfThisBuild(ContractScene scene) throws Exception {
    Answer json = scene.stranger().get("/openapi.json");
    Answer yaml = scene.stranger().get("/openapi.yaml");

    assertThat(json.json()).isEqualTo(Description.load().root());
    assertThat(yaml.body()).startsWith("#").contains("openapi: 3.1.0");
    assertThat(json.body() + yaml.body())
        .doesNotContain(scene.pipeline().slot())
        .doesNotContain("replica_stock")
        .doesNotContain("tidemark_gateway");
  }

  @Test
  @DisplayName("no-such-resource")
  void whereNothingIsServedNothingIsFound(ContractScene scene) throws Exception {
    for (String path :
        List.of(
            "/",
            "/api",
            "/api/doc/Waybill",
            "/api/nothing",
            "/actuator/env",
            "/.well-known/oauth-protected-resource")) {
      Answer refused = scene.ops().get(path);
      assertThat(refused.status()).as(path).isEqualTo(404);
      assertProblem(refused, "no-such-resource");
    }
  }

  @Test
  @DisplayName("method-not-allowed")
  void aMethodThatThePathDoesNotHaveIsRefusedWithThoseThatItHas(ContractScene scene)
      throws Exception {
    for (Call call : Call.all(Description.load(), "/")) {
      Answer refused = scene.admin().send("POST", call.path(), "{}".getBytes(UTF_8));
      assertThat(refused.status()).as(call.path()).isEqualTo(405);
      assertProblem(refused, "method-not-allowed");
      assertThat(refused.header("Allow")).contains(call.method());
    }
  }
}
