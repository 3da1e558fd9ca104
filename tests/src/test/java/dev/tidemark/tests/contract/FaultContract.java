package dev.tidemark.tests.contract;

import static dev.tidemark.tests.contract.ContractScene.assertProblem;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tidemark.gateway.Gateway;
import dev.tidemark.standalone.client.Answer;
import dev.tidemark.tests.harness.Relay;
import dev.tidemark.tests.harness.TestPipeline;
import java.io.IOException;
import java.net.Socket;
import java.sql.Connection;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Problems of the installation, each brought about as it would be in life. */
@ExtendWith(ContractScene.Stage.class)
class FaultContract {

  private static final String DOC = "/api/doc/Waybill/";
  private static final String ROWS = "/api/replica/replica_waybill";
  private static final int STREAMS = 500;

  private static final List<Call> OF_DOCUMENTS =
      List.of(
          new Call("GET", DOC + "F1"),
          new Call("PUT", DOC + "F1"),
          new Call("PATCH", DOC + "F1"),
          new Call("DELETE", DOC + "F1"));

  private static final Call STATUS = new Call("GET", "/api/sync/status");

  private static final List<Call> OF_THE_REPLICA =
      List.of(new Call("GET", ROWS), new Call("GET", ROWS + "/F1"), STATUS);

  private static List<Call> ofDatabases() {
    List<Call> calls = new ArrayList<>(OF_DOCUMENTS);
    calls.addAll(OF_THE_REPLICA);
    return calls;
  }

  /** Sends all at once, since each of them waits for a connection. */
  private static Map<Call, Answer> answers(List<Call> calls, ContractCaller caller)
      throws Exception {
    Map<Call, Future<Answer>> sent = new LinkedHashMap<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      calls.forEach(call -> sent.put(call, threads.submit(() -> call.by(caller))));
    }
    Map<Call, Answer> answers = new LinkedHashMap<>();
    for (Map.Entry<Call, Future<Answer>> each : sent.entrySet()) {
      answers.put(each.getKey(), each.getValue().get());
    }
    return answers;
  }

  @Test
  @DisplayName("database-unavailable")
  void whileTheDatabasesAreGone(ContractScene scene) throws Exception {
    scene.write("F1", "{}");
    try (Relay source = new Relay(scene.pipeline().sourceDatabase().jdbcUrl());
        Relay replica = new Relay(scene.pipeline().replicaDatabase().jdbcUrl());
        Gateway gateway =
            Gateway.start(scene.pipeline().gateway(source.jdbcUrl(), replica.jdbcUrl()).build())) {
      ContractCaller ops = scene.at(gateway, "ops");
      assertThat(ops.get(DOC + "F1").status()).isEqualTo(200);
      assertThat(ops.get(ROWS).status()).isEqualTo(200);
      source.cut();
      List<Call> atTheSource = new ArrayList<>(OF_DOCUMENTS);
      atTheSource.add(STATUS);
      Map<Call, Answer> answers = answers(atTheSource, ops);
      Answer status = Objects.requireNonNull(answers.remove(STATUS));
      assertThat(status.status()).isEqualTo(200);
      for (String member : List.of("currentLsn", "bytesBehind", "leader", "slot")) {
        assertThat(status.json().path(member).isNull()).as(member).isTrue();
      }
      assertThat(ops.get(ROWS).status()).isEqualTo(200);
      Answer unknown = ops.get(ROWS, "X-Max-Staleness-Ms", "0");
      assertThat(unknown.status()).isEqualTo(202);
      assertThat(unknown.json().path("requiredLsn").isNull()).isTrue();
      replica.cut();
      answers.putAll(answers(OF_THE_REPLICA, ops));
      answers.forEach(
          (call, answer) -> {
            assertThat(answer.status()).as(call.toString()).isEqualTo(503);
            assertProblem(answer, "database-unavailable");
          });
      for (String part : List.of("", "/readiness")) {
        Answer health = ops.get("/actuator/health" + part);
        assertThat(health.status()).isEqualTo(503);
        assertThat(health.json().at("/components/replica/reason").asText()).isNotEmpty();
      }
      assertThat(ops.get("/actuator/health/liveness").status()).isEqualTo(200);

      source.mend();
      replica.mend();
      await().atMost(TestPipeline.LIMIT).until(() -> ops.get(ROWS).status() == 200);
      await().atMost(TestPipeline.LIMIT).until(() -> ops.get(DOC + "F1").status() == 200);
    }
  }

  /** The operator lets the gateway's role wait for a lock no longer than this. */
  @Test
  @DisplayName("database-timeout")
  void whenAStatementWaitsForALockTooLong(ContractScene scene) throws Exception {
    scene.write("F2", "{}");
    String setting =
        "alter role tidemark_gateway in database " + scene.pipeline().sourceDatabase().name();
    scene.pipeline().source(setting + " set lock_timeout = '100ms'");
    try (Connection other = scene.pipeline().sourceDatabase().connect();
        Statement statement = other.createStatement();
        Gateway gateway = Gateway.start(scene.pipeline().gateway().build())) {
      other.setAutoCommit(false);
      statement.execute("select 1 from tidemark_doc where name = 'F2' for update");

      ContractCaller ops = scene.at(gateway, "ops");
      for (Answer late :
          List.of(ops.put(DOC + "F2", "{}"), ops.patch(DOC + "F2", "{}"), ops.delete(DOC + "F2"))) {
        assertThat(late.status()).isEqualTo(503);
        assertProblem(late, "database-timeout");
      }
      other.rollback();
      assertThat(ops.put(DOC + "F2", "{}").status()).isEqualTo(200);
    } finally {
      scene.pipeline().source(setting + " reset lock_timeout");
    }
  }

  /** The operator has taken from everybody, and so from the gateway, the right to ask for it. */
  @Test
  @DisplayName("position-unknown")
  void whenAWriteIsCommittedAndItsPositionCannotBeRead(ContractScene scene) throws Exception {
    String function = "execute on function pg_catalog.pg_current_wal_insert_lsn()";
    scene
        .pipeline()
        .source("grant " + function + " to tidemark_capture; revoke " + function + " from public");
    ContractCaller ops = scene.ops();
    List<Answer> answers;
    try {
      answers =
          List.of(
              ops.put(DOC + "F3", "{\"ops_status\":\"written\"}"),
              ops.patch(DOC + "F3", "{\"ops_status\":\"patched\"}"),
              ops.put(DOC + "F4", "{}"),
              ops.delete(DOC + "F4"));
    } finally {
      scene.pipeline().source("grant " + function + " to public");
    }
    for (Answer answer : answers) {
      assertThat(answer.status()).isEqualTo(503);
      assertProblem(answer, "position-unknown");
    }
    assertThat(ops.get(DOC + "F4").status()).isEqualTo(404);
    assertThat(
            ops.get(ROWS + "/F3", "X-Required-LSN", "latest", "Prefer", "wait=30")
                .json()
                .path("ops_status")
                .asText())
        .isEqualTo("patched");
  }

  /** The operator has taken a right that the gateway needs. */
  @Test
  @DisplayName("internal")
  void whenTheGatewayLacksARight(ContractScene scene) throws Exception {
    scene.write("F5", "{}");
    scene.pipeline().source("revoke select on tidemark_doc from tidemark_gateway");
    scene.pipeline().replica("revoke select on tidemark_watermark from tidemark_gateway");
    Map<Call, Answer> answers;
    try {
      answers = answers(ofDatabases(), scene.ops());
    } finally {
      scene.pipeline().source("grant select on tidemark_doc to tidemark_gateway");
      scene.pipeline().replica("grant select on tidemark_watermark to tidemark_gateway");
    }
    answers.forEach(
        (call, answer) -> {
          assertThat(answer.status()).as(call.toString()).isEqualTo(500);
          assertProblem(answer, "internal");
          assertThat(answer.body()).doesNotContain("tidemark_doc", "tidemark_watermark", "denied");
        });
    assertThat(answers.values().stream().map(answer -> answer.json().path("instance")).distinct())
        .hasSize(answers.size());
  }

  @Test
  @DisplayName("too-many-streams")
  void whenAllStreamsAreTaken(ContractScene scene) throws Exception {
    List<Socket> open = new ArrayList<>();
    try (Gateway gateway = Gateway.start(scene.pipeline().gateway().build())) {
      ContractCaller care = scene.at(gateway, "care");
      for (int i = 0; i < STREAMS; i++) {
        open.add(stream(gateway, care.token()));
      }

      Answer refused = care.get("/api/sync/stream");

      assertThat(refused.status()).isEqualTo(503);
      assertProblem(refused, "too-many-streams");
      assertThat(care.get(ROWS).status()).isEqualTo(200);
    } finally {
      for (Socket socket : open) {
        socket.close();
      }
    }
  }

  private static Socket stream(Gateway gateway, String token) throws IOException {
    Socket socket = RawRequest.connect(ContractScene.url(gateway));
    socket
        .getOutputStream()
        .write(
            "GET /api/sync/stream HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n\r\n"
                .formatted(token)
                .getBytes(ISO_8859_1));
    String status = new String(socket.getInputStream().readNBytes(12), ISO_8859_1);
    assertThat(status).isEqualTo("HTTP/1.1 200");
    return socket;
  }
}
