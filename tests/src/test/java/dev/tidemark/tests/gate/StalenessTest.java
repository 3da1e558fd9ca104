package dev.tidemark.tests.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tidemark.standalone.client.Answer;
import dev.tidemark.tests.harness.Caller;
import dev.tidemark.tests.harness.TestPipeline;
import dev.tidemark.topics.Lsn;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code X-Max-Staleness-Ms}: a replica that is at most so far behind in time, or none. */
class StalenessTest {

  private static final String ROUTES =
      """
      partitions: 2
      routes:
        - doctype: Note
          target: replica_note
          columns:
            - { name: n, from: n, type: integer }
      """;

  private static final String ROW = "/api/replica/replica_note/N";
  private static final String STALENESS = "X-Max-Staleness-Ms";
  private static final String AN_HOUR = "3600000";

  private static TestPipeline pipeline;
  private static Caller acme;
  private static int n;

  @BeforeAll
  static void start() throws Exception {
    pipeline = TestPipeline.start(ROUTES);
    pipeline.catchUp();
    acme = pipeline.caller("acme", "admin");
  }

  @AfterAll
  static void stop() throws Exception {
    pipeline.close();
  }

  @BeforeEach
  void inSync() throws Exception {
    assertThat(acme.gated(ROW, write()).status()).isEqualTo(200);
  }

  @AfterEach
  void resume() {
    pipeline.services().projector().resume();
  }

  private static String write() throws Exception {
    n++;
    return acme.put("/api/doc/Note/N", "{\"n\":" + n + "}").header("X-Tx-LSN");
  }

  private static void assertPending(Answer answer) {
    assertThat(answer.status()).as(answer.body()).isEqualTo(202);
    assertThat(answer.json().path("status").asText()).isEqualTo("sync-pending");
    assertThat(answer.json().has("rows")).isFalse();
    assertThat(answer.header("X-Replicated-LSN")).isNotEmpty();
    assertThat(answer.header("Retry-After")).matches("[1-5]");
    assertThat(answer.json().path("retryAfterMs").asInt()).isBetween(10, 5_000);
  }

  private static void waitBeyond(Duration age) {
    long from = System.nanoTime();
    await()
        .atMost(TestPipeline.LIMIT)
        .pollInterval(Duration.ofMillis(10))
        .until(() -> System.nanoTime() - from > age.toNanos());
  }

  @Test
  void aWriteThatIsOlderThanAllowedIsNeverMissed() throws Exception {
    pipeline.services().projector().pause();
    write();
    waitBeyond(Duration.ofMillis(300));

    for (int i = 0; i < 20; i++) {
      assertPending(acme.get(ROW, STALENESS, "300"));
      assertPending(acme.get(ROW, STALENESS, "0"));
    }
    Answer asOfAnHourAgo = acme.get(ROW, STALENESS, AN_HOUR);
    assertThat(asOfAnHourAgo.status()).isEqualTo(200);
    assertThat(asOfAnHourAgo.json().path("n").asInt()).isEqualTo(n - 1);
    resume();
    Answer awaited = acme.get(ROW, STALENESS, "300", "Prefer", "wait=30");
    assertThat(awaited.status()).isEqualTo(200);
    assertThat(awaited.header("Preference-Applied")).isEqualTo("wait=30");
    assertThat(awaited.json().path("n").asInt()).isEqualTo(n);
  }

  /** Nothing moves the log but what the read itself causes. */
  @Test
  void onAnIdleSourceAReadThatAllowsNoStalenessIsServed() throws Exception {
    for (int i = 0; i < 20; i++) {
      write();
      Answer answer = acme.get(ROW, STALENESS, "0", "Prefer", "wait=30");
      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.json().path("n").asInt()).isEqualTo(n);
    }
    assertThat(
            pipeline
                .caller("globex")
                .get("/api/replica/replica_note", STALENESS, "0", "Prefer", "wait=30")
                .status())
        .isEqualTo(200);
  }

  @Test
  void bothDemandsMustHold() throws Exception {
    String before = pipeline.position();
    pipeline.services().projector().pause();
    String later = write();

    Answer byPosition = acme.get(ROW, STALENESS, AN_HOUR, "X-Required-LSN", later);
    assertPending(byPosition);
    assertThat(byPosition.json().path("requiredLsn").asText()).isEqualTo(later);
    // A source that is slow to answer is not waited for, and the position unknown then.
    Answer byTime =
        await()
            .atMost(TestPipeline.LIMIT)
            .until(
                () -> acme.get(ROW, STALENESS, "0", "X-Required-LSN", "0/1"),
                answer -> !answer.json().path("requiredLsn").isNull());
    assertPending(byTime);
    assertThat(Lsn.parse(byTime.json().path("requiredLsn").asText()))
        .isGreaterThanOrEqualTo(Lsn.parse(later));
    assertThat(acme.get(ROW, STALENESS, AN_HOUR, "X-Required-LSN", "0/1").status()).isEqualTo(200);
    assertThat(acme.get(ROW, STALENESS, AN_HOUR, "X-Required-LSN", "FFFFFFFF/0").status())
        .isEqualTo(409);
    assertThat(
            acme.get(
                    ROW,
                    STALENESS,
                    AN_HOUR,
                    "X-Required-LSN",
                    before,
                    "X-Required-Generation",
                    "another")
                .status())
        .isEqualTo(409);
  }

  @ParameterizedTest
  @ValueSource(strings = {"-1", "3600001", "soon", "1.5", "1,2", ""})
  void anythingButMillisecondsIsRefused(String text) throws Exception {
    Answer answer = acme.get(ROW, STALENESS, text);

    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.json().path("type").asText())
        .isEqualTo("urn:tidemark:problem:malformed-staleness");
  }

  @Test
  void whileTheSourceCannotBeAskedOnlyWhatIsKnownIsVouchedFor() throws Exception {
    var cluster = pipeline.sourceDatabase().cluster();
    String database = pipeline.sourceDatabase().name();
    try (var connection = cluster.connect("postgres");
        var statement = connection.createStatement()) {
      statement.execute("alter database " + database + " allow_connections false");
      try {
        statement.execute(
            "select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = '"
                + database
                + "' and application_name = 'tidemark-gateway'");
        Answer unknown = acme.get(ROW, STALENESS, "0");
        assertPending(unknown);
        assertThat(unknown.json().path("requiredLsn").isNull()).isTrue();
        assertPending(acme.get(ROW, STALENESS, "0", "Prefer", "wait=1"));
        assertThat(acme.get(ROW, STALENESS, AN_HOUR).status()).isEqualTo(200);
        assertThat(acme.get(ROW, "X-Required-LSN", "latest").status()).isEqualTo(503);
      } finally {
        statement.execute("alter database " + database + " allow_connections true");
      }
    }
    await()
        .atMost(TestPipeline.LIMIT)
        .until(() -> acme.get(ROW, STALENESS, "0", "Prefer", "wait=5").status() == 200);
  }
}
