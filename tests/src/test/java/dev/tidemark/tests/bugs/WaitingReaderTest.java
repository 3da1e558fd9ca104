package dev.tidemark.tests.bugs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tidemark.gateway.Gateway;
import dev.tidemark.standalone.client.Answer;
import dev.tidemark.tests.harness.Caller;
import dev.tidemark.tests.harness.TestPipeline;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * A reader that waits is woken by its own write's arrival, and costs nobody else anything.
 *
 * <p>B45: <a href="https://github.com/powersync-ja/powersync-service/pull/201">a position reached
 * between the check and the wait</a>, <a
 * href="https://github.com/powersync-ja/powersync-service/issues/718">a listening connection that
 * died</a>.
 */
class WaitingReaderTest {

  private static final String ROUTES =
      """
      partitions: 4
      routes:
        - doctype: Note
          target: replica_note
          columns:
            - { name: n, from: n, type: integer }
      """;

  private static TestPipeline pipeline;

  @BeforeAll
  static void start() throws Exception {
    pipeline = TestPipeline.start(ROUTES);
    pipeline.catchUp();
  }

  @AfterAll
  static void stop() throws Exception {
    pipeline.close();
  }

  private static Answer writeAndRead(String tenant, int n) throws Exception {
    Caller caller = pipeline.caller(tenant);
    Answer written = caller.put("/api/doc/Note/N" + n, "{\"n\":" + n + "}");
    return caller.get(
        "/api/replica/replica_note/N" + n,
        "X-Required-LSN",
        written.header("X-Tx-LSN"),
        "Prefer",
        "wait=30");
  }

  @Test
  @DisplayName(
      "B45 a thousand readers of their own writes are all answered without a further write")
  void readersOfTheirOwnWrites() throws Exception {
    List<Future<Answer>> answers = new ArrayList<>();
    try (ExecutorService readers = Executors.newFixedThreadPool(20)) {
      for (int i = 0; i < 1000; i++) {
        int n = i;
        answers.add(readers.submit(() -> writeAndRead("tenant-" + n % 9, n)));
      }
    }
    for (int i = 0; i < answers.size(); i++) {
      assertThat(answers.get(i).get().status()).isEqualTo(200);
      assertThat(answers.get(i).get().json().path("n").asInt()).isEqualTo(i);
    }
  }

  @Test
  @DisplayName(
      "B45 readers are answered while the gateway's listening connections are being killed")
  void readersWhileConnectionsAreKilled() throws Exception {
    for (int i = 0; i < 10; i++) {
      pipeline.replica(
          "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()"
              + " and usename = 'tidemark_gateway' and query ilike '%listen%'");

      assertThat(writeAndRead("acme", i).status()).isEqualTo(200);
    }
  }

  @Test
  @DisplayName("B45 readers at two gateways on one database are all woken, and no write follows")
  void readersAtTwoGateways() throws Exception {
    try (Gateway second = Gateway.start(pipeline.gateway().build());
        ExecutorService waiters = Executors.newVirtualThreadPerTaskExecutor()) {
      pipeline.services().projector().pause();
      List<Future<Answer>> waiting = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        String tenant = "tenant-" + i % 9;
        Caller first = pipeline.caller(tenant);
        String path = "/api/doc/Note/G" + i;
        String position = first.put(path, "{\"n\":" + i + "}").header("X-Tx-LSN");
        for (Caller reader : List.of(first, pipeline.caller(second, tenant))) {
          waiting.add(waiters.submit(() -> read(reader, path, position)));
        }
      }
      pipeline.services().projector().resume();
      for (int i = 0; i < waiting.size(); i++) {
        assertThat(waiting.get(i).get().status()).isEqualTo(200);
        assertThat(waiting.get(i).get().json().path("n").asInt()).isEqualTo(i / 2);
      }
    } finally {
      pipeline.services().projector().resume();
    }
  }

  private static Answer read(Caller reader, String document, String position) throws Exception {
    return reader.get(
        document.replace("/api/doc/Note", "/api/replica/replica_note"),
        "X-Required-LSN",
        position,
        "Prefer",
        "wait=30");
  }

  /** The server closes what a pool, or somebody who listens, keeps open. */
  @Test
  @DisplayName("B45 a server that closes idle sessions costs no reader its answer")
  void aServerThatClosesIdleSessions() throws Exception {
    String setting = "alter role tidemark_gateway in database ";
    List<String> set = new ArrayList<>();
    for (var database : List.of(pipeline.sourceDatabase(), pipeline.replicaDatabase())) {
      set.add(setting + database.name() + " set idle_session_timeout = '300ms'");
    }
    pipeline.source(set.getFirst());
    pipeline.replica(set.getLast());
    String start = pipeline.source("select now()::text").getFirst();
    try (Gateway gateway = Gateway.start(pipeline.gateway().build())) {
      Caller acme = pipeline.caller(gateway, "acme");
      for (int i = 0; i < 5; i++) {
        String path = "/api/doc/Note/I" + i;
        Answer written =
            await()
                .atMost(TestPipeline.LIMIT)
                .until(
                    () -> acme.put(path, "{\"n\":1}"),
                    // Of a write whose connection was closed under it the outcome is not known.
                    answer -> answer.status() != 503);
        assertThat(written.status()).isIn(200, 201);
        assertThat(read(acme, path, written.header("X-Tx-LSN")).status()).isEqualTo(200);
        awaitNoSessionSince(start);
      }
    } finally {
      pipeline.source(set.getFirst().replace(" set idle_session_timeout = '300ms'", " reset all"));
      pipeline.replica(set.getLast().replace(" set idle_session_timeout = '300ms'", " reset all"));
    }
  }

  private static void awaitNoSessionSince(String start) {
    String sessions =
        "select count(*) from pg_stat_activity where datname = current_database()"
            + " and usename = 'tidemark_gateway' and backend_start > '"
            + start
            + "'";
    await()
        .atMost(TestPipeline.LIMIT)
        .until(() -> pipeline.source(sessions).getFirst().equals("0"));
  }

  @Test
  @DisplayName("B45 waiting readers hold no connection that others need")
  void waitingReadersHoldNoConnection() throws Exception {
    Caller acme = pipeline.caller("acme");
    assertThat(writeAndRead("acme", 1).status()).isEqualTo(200);
    pipeline.services().projector().pause();
    try (ExecutorService waiters = Executors.newVirtualThreadPerTaskExecutor()) {
      String position = acme.put("/api/doc/Note/N1", "{\"n\":7}").header("X-Tx-LSN");
      List<Future<Answer>> waiting = new ArrayList<>();
      for (int i = 0; i < 150; i++) {
        waiting.add(
            waiters.submit(
                () ->
                    acme.get(
                        "/api/replica/replica_note/N1",
                        "X-Required-LSN",
                        position,
                        "Prefer",
                        "wait=30")));
      }
      for (int i = 0; i < 50; i++) {
        assertThat(acme.get("/api/replica/replica_note/N1").status()).isEqualTo(200);
      }
      Answer timedOut =
          acme.get("/api/replica/replica_note/N1", "X-Required-LSN", position, "Prefer", "wait=1");
      assertThat(timedOut.status()).isEqualTo(202);
      assertThat(timedOut.header("Retry-After")).isNotEmpty();
      assertThat(timedOut.header("X-Replicated-LSN")).isNotEmpty();
      pipeline.services().projector().resume();
      for (Future<Answer> each : waiting) {
        assertThat(each.get().json().path("n").asInt()).isEqualTo(7);
      }
    } finally {
      pipeline.services().projector().resume();
    }
    await()
        .atMost(TestPipeline.LIMIT)
        .until(() -> pipeline.services().projector().problem().isEmpty());
  }
}
