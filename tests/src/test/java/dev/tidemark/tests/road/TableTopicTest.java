package dev.tidemark.tests.road;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tidemark.tests.harness.Servers;
import dev.tidemark.tests.harness.TestPipeline;
import dev.tidemark.tests.harness.TopicReader;
import dev.tidemark.topics.Lsn;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The topics for analytics: Debezium's envelope, each event once, also over restarts. */
class TableTopicTest {

  private static final ObjectMapper JSON = new ObjectMapper();

  private static final String ROUTES =
      """
      partitions: 2
      routes:
        - doctype: Waybill
          target: replica_waybill
          columns:
            - { name: status, from: status }
        - table: "Line item"
          tenant: tenant
          target: replica_line
          columns:
            - { name: v, from: v }
      """;

  private TestPipeline pipeline;

  @BeforeEach
  void start() throws Exception {
    pipeline =
        TestPipeline.start(
            ROUTES,
            "create table \"Line item\"(id bigint primary key, tenant text not null, v int, n numeric)",
            "insert into \"Line item\" values (1, 'acme', 1, 1.50)");
    pipeline.catchUp();
  }

  @AfterEach
  void stop() throws Exception {
    pipeline.close();
  }

  private record Event(@Nullable JsonNode key, JsonNode value, Lsn commit) {

    static Event of(ConsumerRecord<String, String> message) {
      try {
        Header commit = message.headers().lastHeader("tidemark.commit_lsn");
        return new Event(
            message.key() == null ? null : JSON.readTree(message.key()),
            JSON.readTree(message.value()),
            Lsn.parse(new String(commit.value(), StandardCharsets.UTF_8)));
      } catch (java.io.IOException e) {
        throw new AssertionError("not JSON", e);
      }
    }

    String op() {
      return value.path("op").asText();
    }
  }

  /** The events of the topic by commit, once there are at least so many. */
  private List<Event> events(String table, int atLeast) {
    String topic = pipeline.topics().table("public", table);
    String bootstrap = Servers.shared().kafka().bootstrapServers();
    return await()
        .atMost(TestPipeline.LIMIT)
        .until(
            () -> TopicReader.all(bootstrap, topic).stream().map(Event::of).toList(),
            events -> events.size() >= atLeast)
        .stream()
        .sorted(
            Comparator.comparing(Event::commit)
                .thenComparing(
                    event -> event.value().path("transaction").path("total_order").asLong())
                // An update of the key is told as a delete and an insert of one number.
                .thenComparing(Event::op, Comparator.reverseOrder()))
        .toList();
  }

  private static void lines(TestPipeline pipeline, String... statements) throws Exception {
    for (String sql : statements) {
      pipeline.source(sql.replace("line", "\"Line item\""));
    }
  }

  @Test
  void everyOperationComesInDebeziumsEnvelope() throws Exception {
    lines(
        pipeline,
        "insert into line values (2, 'acme', 1, null)",
        "update line set v = 2 where id = 2",
        "delete from line where id = 2",
        "update line set id = 9 where id = 1",
        "truncate line");

    List<Event> events = events("Line item", 7);
    assertThat(events).extracting(Event::op).containsExactly("r", "c", "u", "d", "d", "c", "t");
    Event snapshot = events.get(0);
    assertThat(snapshot.key()).isEqualTo(JSON.readTree("{\"id\":1}"));
    assertThat(snapshot.value().path("before").isNull()).isTrue();
    assertThat(snapshot.value().path("after").path("n").asText()).isEqualTo("1.50");
    assertThat(snapshot.value().path("source").path("snapshot").asText()).isEqualTo("true");
    Event update = events.get(2);
    assertThat(update.key()).isEqualTo(JSON.readTree("{\"id\":2}"));
    assertThat(update.value().path("before"))
        .isEqualTo(JSON.readTree("{\"id\":2,\"tenant\":\"acme\",\"v\":1,\"n\":null}"));
    assertThat(update.value().path("after"))
        .isEqualTo(JSON.readTree("{\"id\":2,\"tenant\":\"acme\",\"v\":2,\"n\":null}"));
    assertThat(update.value().path("ts_ms").isIntegralNumber()).isTrue();
    JsonNode source = update.value().path("source");
    assertThat(source.path("schema").asText()).isEqualTo("public");
    assertThat(source.path("table").asText()).isEqualTo("Line item");
    assertThat(source.path("connector").asText()).isEqualTo("postgresql");
    assertThat(source.path("lsn").isIntegralNumber()).isTrue();
    assertThat(source.path("txId").isIntegralNumber()).isTrue();
    assertThat(update.value().path("transaction").path("id").asText())
        .startsWith(source.path("txId").asText() + ":");
    assertThat(events.get(3).value().path("after").isNull()).isTrue();
    assertThat(events.get(4).key()).isEqualTo(JSON.readTree("{\"id\":1}"));
    assertThat(events.get(5).key()).isEqualTo(JSON.readTree("{\"id\":9}"));
    assertThat(events.get(6).key()).isNull();
  }

  @Test
  void theHeaderHoldsThePositionThatATokenIsComparedWith() throws Exception {
    String before = pipeline.position();
    String token =
        pipeline.caller("acme").put("/api/doc/Waybill/W", "{\"status\":\"a\"}").header("X-Tx-LSN");

    Event event = events("tidemark_doc", 1).getFirst();

    assertThat(event.key())
        .isEqualTo(
            JSON.readTree("{\"tenant_id\":\"acme\",\"doctype\":\"Waybill\",\"name\":\"W\"}"));
    assertThat(event.commit()).isGreaterThan(Lsn.parse(before));
    assertThat(event.commit()).isLessThanOrEqualTo(Lsn.parse(token));
    assertThat(
            pipeline.replica(
                "select 1 where '%s' <= (select source_lsn from replica_waybill)"
                    .formatted(event.commit())))
        .containsExactly("1");
  }

  @Test
  void changesOfOneTransactionShareItsPositionAndAreNumbered() throws Exception {
    lines(pipeline, "insert into line values (2, 'acme', 1, null), (3, 'globex', 1, null)");

    List<Event> inserts = events("Line item", 3).subList(1, 3);

    assertThat(inserts).extracting(Event::commit).containsOnly(inserts.getFirst().commit());
    assertThat(inserts)
        .extracting(event -> event.value().path("transaction").path("total_order").asInt())
        .containsExactly(1, 2);
  }

  @Test
  void nothingIsThereTwiceAfterRestarts() throws Exception {
    lines(pipeline, "insert into line values (2, 'acme', 1, null)");
    events("Line item", 2);
    pipeline.stop();
    lines(pipeline, "update line set v = 7 where id = 2");
    pipeline.startAgain();
    events("Line item", 3);
    pipeline.stop();
    pipeline.startAgain();
    lines(pipeline, "delete from line where id = 2");

    assertThat(events("Line item", 4)).extracting(Event::op).containsExactly("r", "c", "u", "d");
  }
}
