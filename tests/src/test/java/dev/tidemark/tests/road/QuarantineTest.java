package dev.tidemark.tests.road;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tidemark.standalone.client.Answer;
import dev.tidemark.tests.harness.Servers;
import dev.tidemark.tests.harness.TestPipeline;
import dev.tidemark.tests.harness.TopicReader;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Invariant 8: a change that cannot be written stops its partition, or is set aside where readers
 * see it. The source's {@code json} holds what no {@code jsonb} can.
 *
 * @see <a href="https://github.com/kodustech/kodus-ai/pull/1683">B18: NUL escape and lone surrogate
 *     block the partition</a>
 */
class QuarantineTest {

  private static final String TABLE =
      "create table docs_src(id int primary key, tenant text not null, doc json, big text)";

  private static final String QUARANTINE = routes("quarantine");
  private static final String STOP = routes("stop");

  private static String routes(String policy) {
    return """
        partitions: 1
        routes:
          - table: public.docs_src
            tenant: tenant
            target: replica_docs
            on_error: %s
            columns:
              - { name: doc, from: doc, type: jsonb }
              - { name: title, from: doc.title }
              - { name: big, from: big }
        """
        .formatted(policy);
  }

  private static final String NUL = "'{\"title\":\"a\\u0000b\"}'";
  private static final String SURROGATE = "'{\"title\":\"\\ud800\"}'";
  private static final String KEEP = "'{\"title\":\"keep \\\\u0000 as text\"}'";
  private static final String AFTER = "'{\"title\":\"after\"}'";

  private static String insert(int id, String doc) {
    return "insert into docs_src values (%d, 'acme', %s, 'b');".formatted(id, doc);
  }

  private static String rows(TestPipeline pipeline) throws SQLException {
    return String.join(
        "; ", pipeline.replica("select id || ' ' || title from replica_docs order by id"));
  }

  private static Answer read(TestPipeline pipeline, String path, String tenant)
      throws SQLException {
    return pipeline.gated("/api/replica/replica_docs" + path, pipeline.position(), tenant, "care");
  }

  @Test
  @DisplayName("B18 JSON that jsonb can't hold goes to the quarantine once, and the rest arrives")
  void b18WhatCannotBeWrittenIsSetAsideOnceAndReadersSeeIt() throws Exception {
    try (TestPipeline pipeline = TestPipeline.start(QUARANTINE, TABLE, insert(1, NUL))) {
      pipeline.catchUp();
      pipeline.source(insert(2, SURROGATE) + insert(3, KEEP) + insert(4, AFTER));
      pipeline.catchUp();

      assertThat(
              pipeline
                  .client("acme", "care")
                  .get("/api/sync/status", Map.of())
                  .json()
                  .path("snapshot")
                  .toString())
          .isEqualTo("{\"complete\":true,\"rows\":1}");
      assertThat(rows(pipeline)).isEqualTo("3 keep \\u0000 as text; 4 after");
      assertThat(read(pipeline, "/1", "acme").status()).isEqualTo(409);
      Answer second = read(pipeline, "?id=2", "acme");
      assertThat(second.status()).isEqualTo(409);
      assertThat(second.json().path("type").asText()).endsWith(":row-quarantined");
      assertThat(second.header("X-Replicated-LSN"))
          .isEqualTo(second.json().path("replicatedLsn").asText())
          .isNotEmpty();
      assertThat(read(pipeline, "/3", "acme").status()).isEqualTo(200);
      assertThat(read(pipeline, "", "acme").json().path("quarantined").toString())
          .isEqualTo("[{\"id\":\"1\"},{\"id\":\"2\"}]");
      assertThat(read(pipeline, "/1", "globex").status()).isEqualTo(404);
      assertThat(read(pipeline, "", "globex").json().has("quarantined")).isFalse();
      assertThat(pipeline.replica("select quarantined from tidemark_watermark"))
          .containsExactly("2");
      assertThat(
              pipeline.replica(
                  "select key[1] || ' ' || operation || ' ' || (source_lsn > '0/0') from"
                      + " tidemark_quarantine order by 1"))
          .containsExactly("1 r true", "2 c true");
      List<ConsumerRecord<String, String>> letters =
          TopicReader.all(
              Servers.shared().kafka().bootstrapServers(), pipeline.topics().quarantine());
      assertThat(letters).hasSize(2);
      assertThat(letters.getFirst().value()).contains("a\\\\u0000b");
    }
  }

  @Test
  void aLaterChangeOfTheKeyThatCanBeWrittenClearsIt() throws Exception {
    try (TestPipeline pipeline = TestPipeline.start(QUARANTINE, TABLE, insert(1, AFTER))) {
      pipeline.source(insert(2, NUL) + insert(3, NUL) + insert(4, NUL));
      pipeline.source("update docs_src set doc = " + NUL + " where id = 1");
      assertThat(read(pipeline, "/1", "acme").status())
          .describedAs("the old row is not answered with")
          .isEqualTo(409);

      pipeline.source("update docs_src set doc = " + AFTER + " where id in (1, 2)");
      pipeline.source("delete from docs_src where id = 3");
      pipeline.source("update docs_src set tenant = 'globex', doc = " + AFTER + " where id = 4");
      pipeline.catchUp();

      assertThat(rows(pipeline)).isEqualTo("1 after; 2 after; 4 after");
      assertThat(read(pipeline, "/2", "acme").status()).isEqualTo(200);
      assertThat(read(pipeline, "/3", "acme").status()).isEqualTo(404);
      assertThat(read(pipeline, "/4", "acme").status()).isEqualTo(404);
      assertThat(read(pipeline, "/4", "globex").status()).isEqualTo(200);
      assertThat(pipeline.replica("select quarantined from tidemark_watermark"))
          .containsExactly("0");
      assertThat(pipeline.replica("select count(*) from tidemark_quarantine")).containsExactly("0");
    }
  }

  @Test
  void anUpdateThatKeepsALargeValueOfARowThatIsSetAsideIsSetAsideToo() throws Exception {
    try (TestPipeline pipeline =
        TestPipeline.start(
            QUARANTINE, TABLE, "alter table docs_src alter big set storage external")) {
      String large = "repeat('q', 20000)";
      pipeline.source("insert into docs_src values (1, 'acme', " + NUL + ", " + large + ")");
      pipeline.source("update docs_src set doc = " + AFTER + " where id = 1");
      pipeline.catchUp();
      String length =
          pipeline.replica("select coalesce(max(length(big)), 0) from replica_docs").getFirst();
      int status = read(pipeline, "/1", "acme").status();
      assertThat(length + " " + status).isIn("20000 200", "0 409");

      pipeline.source("update docs_src set big = big || '!' where id = 1");
      assertThat(read(pipeline, "/1", "acme").status()).isEqualTo(200);
      assertThat(pipeline.replica("select length(big) from replica_docs")).containsExactly("20001");
    }
  }

  @Test
  void aLongTransactionComesWithoutTheChangesThatAreSetAside() throws Exception {
    try (TestPipeline pipeline = TestPipeline.start(QUARANTINE, TABLE)) {
      pipeline.source(
          "insert into docs_src select i, 'acme', case when i = 2500 then "
              + NUL
              + "::json else "
              + AFTER
              + "::json end, repeat('x', 500) from generate_series(1, 5000) i");
      pipeline.catchUp();

      assertThat(pipeline.replica("select count(*) from replica_docs")).containsExactly("4999");
      assertThat(
              pipeline.replica(
                  "select (select min(source_lsn) from replica_docs) = source_lsn from"
                      + " tidemark_quarantine"))
          .containsExactly("t");
      assertThat(read(pipeline, "/2500", "acme").status()).isEqualTo(409);
    }
  }

  @Test
  void theDefaultStopsThePartitionAndSaysWhere() throws Exception {
    try (TestPipeline pipeline = TestPipeline.start(STOP, TABLE)) {
      pipeline.source(insert(3, AFTER));
      pipeline.catchUp();
      pipeline.source(insert(1, NUL));
      pipeline.source(insert(4, AFTER));
      await()
          .atMost(TestPipeline.LIMIT)
          .until(
              () ->
                  !pipeline
                      .replica("select stopped from tidemark_watermark where stopped is not null")
                      .isEmpty());

      assertThat(pipeline.replica("select stopped || '|' || stopped_key from tidemark_watermark"))
          .singleElement()
          .asString()
          .matches("offset \\d+, change at \\S+ of public.docs_src: route replica_docs: .*\\|id=1");
      assertThat(rows(pipeline)).isEqualTo("3 after");
      Answer status = pipeline.client("acme", "care").get("/api/sync/status", Map.of());
      assertThat(status.json().at("/partitions/0/stopped").asText())
          .contains("route replica_docs")
          .doesNotContain("id=1");
      assertThat(
              pipeline
                  .client("acme", "admin")
                  .get("/api/sync/status", Map.of())
                  .json()
                  .at("/partitions/0/stopped")
                  .asText())
          .endsWith("(row id=1)");

      pipeline.restart(QUARANTINE);
      pipeline.catchUp();
      assertThat(rows(pipeline)).isEqualTo("3 after; 4 after");
      assertThat(read(pipeline, "/1", "acme").status()).isEqualTo(409);
    }
  }
}
