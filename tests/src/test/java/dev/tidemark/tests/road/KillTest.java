package dev.tidemark.tests.road;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tidemark.standalone.client.Answer;
import dev.tidemark.tests.harness.Caller;
import dev.tidemark.tests.harness.Installation;
import dev.tidemark.tests.harness.TestPipeline;
import dev.tidemark.tests.harness.TopicReader;
import dev.tidemark.topics.Lsn;
import dev.tidemark.topics.TopicNames;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** kill -9 of everything but the databases, in the middle of a load. */
class KillTest {

  private static final int WRITES = 6_000;
  private static final int THREADS = 8;
  private static final int EACH = WRITES / THREADS;
  private static final int NAMES_EACH = 75;

  private static final String ROUTES =
      """
      pipeline: kill
      slot: kill
      publication: kill
      partitions: 4
      routes:
        - doctype: Waybill
          target: replica_waybill
          columns:
            - { name: step, from: step, type: integer }
      """;

  private static final String WATERMARKS =
      "select history || ' ' || lsn from tidemark_watermark order by partition";

  /** Per thread: how many of its writes were acknowledged. */
  private final AtomicIntegerArray acknowledged = new AtomicIntegerArray(THREADS);

  private final AtomicInteger all = new AtomicInteger();

  @TempDir private Path folder = Path.of("");
  private @Nullable Installation running;

  @BeforeEach
  void start() throws IOException {
    Path routes = Files.writeString(folder.resolve("routes.yaml"), ROUTES);
    running = Installation.start(folder.resolve("data"), routes);
  }

  @AfterEach
  void stop() throws IOException {
    installation().close();
  }

  private Installation installation() {
    if (running == null) {
      throw new IllegalStateException("the installation did not start");
    }
    return running;
  }

  private static String tenant(int thread) {
    return "tenant-" + thread;
  }

  @Test
  void everyAcknowledgedWriteIsInTheReplicaOnce() throws Exception {
    List<String> before;
    try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
      List<Future<Void>> writers = write(threads);
      await().atMost(TestPipeline.LIMIT.multipliedBy(4)).until(() -> all.get() >= WRITES / 2);
      before = replica(WATERMARKS);
      installation().kill();
      for (Future<Void> writer : writers) {
        writer.get();
      }
    }
    assertThat(all.get()).as("the load was cut in its middle").isLessThan(WRITES);

    running = Installation.start(folder.resolve("data"), folder.resolve("routes.yaml"));
    assertNoWatermarkWentBack(before);
    assertAcknowledgedWritesArrive();

    try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
      for (Future<Void> writer : write(threads)) {
        writer.get();
      }
    }
    assertThat(all.get()).isEqualTo(WRITES);
    assertAcknowledgedWritesArrive();
    assertThat(replica("select count(*) from replica_waybill"))
        .containsExactly(Integer.toString(THREADS * NAMES_EACH));
    assertThat(replica("select count(distinct (tenant_id, name)) from replica_waybill"))
        .containsExactly(Integer.toString(THREADS * NAMES_EACH));
    assertNoWatermarkWentBack(before);
    assertTopicHoldsEachWriteOnce();
  }

  private void assertNoWatermarkWentBack(List<String> before) throws SQLException {
    List<String> now = replica(WATERMARKS);
    assertThat(now).hasSameSizeAs(before);
    for (int partition = 0; partition < before.size(); partition++) {
      String[] then = before.get(partition).split(" ");
      String[] since = now.get(partition).split(" ");
      assertThat(since[0]).as("generation").isEqualTo(then[0]);
      assertThat(Lsn.parse(since[1])).isGreaterThanOrEqualTo(Lsn.parse(then[1]));
    }
  }

  /** Goes on after the last acknowledged write of each thread, until its end or a failure. */
  private List<Future<Void>> write(ExecutorService threads) throws IOException {
    List<Future<Void>> writers = new ArrayList<>();
    for (int thread = 0; thread < THREADS; thread++) {
      writers.add(threads.submit(writer(thread, installation().caller(tenant(thread)))));
    }
    return writers;
  }

  private Callable<Void> writer(int thread, Caller caller) {
    return () -> {
      for (int step = acknowledged.get(thread); step < EACH; step++) {
        try {
          Answer answer =
              caller.put("/api/doc/Waybill/W-" + step % NAMES_EACH, "{\"step\":" + step + "}");
          if (answer.status() / 100 != 2) {
            return null;
          }
        } catch (IOException e) {
          return null;
        }
        acknowledged.set(thread, step + 1);
        all.incrementAndGet();
      }
      return null;
    };
  }

  /** Of each document the newest acknowledged write, or the one after it that was not answered. */
  private void assertAcknowledgedWritesArrive() throws Exception {
    String position = source("select pg_current_wal_insert_lsn()::text").getFirst();
    for (int thread = 0; thread < THREADS; thread++) {
      Answer inSync =
          installation()
              .caller(tenant(thread))
              .gated("/api/replica/replica_waybill?limit=1", position);
      assertThat(inSync.status()).isEqualTo(200);
      int done = acknowledged.get(thread);
      List<String> rows =
          replica(
              "select name || ' ' || step from replica_waybill where tenant_id = '%s'"
                  .formatted(tenant(thread)));
      Set<String> expected = new HashSet<>();
      for (int step = Math.max(0, done - NAMES_EACH); step < done; step++) {
        expected.add(row(step));
      }
      Set<String> withUnanswered = new HashSet<>(expected);
      withUnanswered.remove(row(done - NAMES_EACH));
      withUnanswered.add(row(done));
      assertThat(rows).doesNotHaveDuplicates();
      assertThat(Set.copyOf(rows)).isIn(expected, withUnanswered);
    }
  }

  private static String row(int step) {
    return "W-" + step % NAMES_EACH + " " + step;
  }

  private void assertTopicHoldsEachWriteOnce() throws Exception {
    List<String> versions =
        source("select tenant_id || ' ' || name || ' ' || version from tidemark_doc");
    await()
        .atMost(TestPipeline.LIMIT)
        .untilAsserted(
            () -> {
              List<String> events = new ArrayList<>();
              ObjectMapper json = new ObjectMapper();
              for (var message :
                  TopicReader.all(
                      installation().endpoints().kafkaBootstrap(),
                      new TopicNames("kill").table("public", "tidemark_doc"))) {
                JsonNode after = json.readTree(message.value()).path("after");
                events.add(
                    String.join(
                        " ",
                        after.path("tenant_id").asText(),
                        after.path("name").asText(),
                        after.path("version").asText()));
              }
              Set<String> different = new HashSet<>(events);
              assertThat(events.size()).as("each event once").isEqualTo(different.size());
              assertThat(different.containsAll(versions)).as("the newest of each").isTrue();
              assertThat(different.size()).isGreaterThanOrEqualTo(WRITES);
            });
  }

  private List<String> source(String sql) throws SQLException {
    return query(installation().endpoints().sourceJdbcUrl(), sql);
  }

  private List<String> replica(String sql) throws SQLException {
    return query(installation().endpoints().replicaJdbcUrl(), sql);
  }

  private static List<String> query(String url, String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      List<String> values = new ArrayList<>();
      while (row.next()) {
        values.add(row.getString(1));
      }
      return values;
    }
  }
}
