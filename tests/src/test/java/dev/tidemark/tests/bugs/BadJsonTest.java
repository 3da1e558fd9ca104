package dev.tidemark.tests.bugs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tidemark.tests.harness.TestPipeline;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The type {@code json} checks escapes for their syntax only, so a source holds what {@code jsonb}
 * and {@code text} cannot. By default that stops the partition before it, with a reason.
 *
 * <p>B18: <a href="https://github.com/kodustech/kodus-ai/pull/1683">NUL escapes that strip
 * nothing</a>, <a href="https://github.com/farcasterxyz/hub-monorepo/pull/1753">a storm of
 * retries</a>.
 */
class BadJsonTest {

  private static final String ROUTES =
      """
      partitions: 1
      routes:
        - table: docs_src
          tenant: tenant
          target: replica_docs
          columns:
            - { name: title, from: doc.title }
            - { name: doc, from: doc, type: jsonb }
            - { name: plain, from: doc, type: text }
      """;

  private TestPipeline pipeline;

  @BeforeEach
  void start() throws Exception {
    pipeline =
        TestPipeline.start(
            ROUTES,
            "create table docs_src(id int primary key, tenant text not null, type text, doc json)");
    pipeline.source(
        """
        insert into docs_src values (3,'acme','note','{"title":"keep \\\\u0000 as text"}'),
                                    (4,'acme','note','{"title":"after \\ud83d\\ude9a"}')""");
    pipeline.catchUp();
  }

  @AfterEach
  void stop() throws Exception {
    pipeline.close();
  }

  private static List<String> titles(TestPipeline pipeline) throws Exception {
    return pipeline.replica("select id || ' ' || title from replica_docs order by id");
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"title\":\"a\\u0000b\"}", "{\"title\":\"\\ud800\"}"})
  @DisplayName("B18 a document that the replica cannot hold stops its partition with a reason")
  void aDocumentThatTheReplicaCannotHold(String json) throws Exception {
    assertThat(titles(pipeline)).containsExactly("3 keep \\u0000 as text", "4 after 🚚");
    assertThat(pipeline.replica("select plain from replica_docs where id = 3"))
        .containsExactly("{\"title\":\"keep \\\\u0000 as text\"}");

    pipeline.source("insert into docs_src values (1, 'acme', 'note', '%s')".formatted(json));
    pipeline.source("insert into docs_src values (5, 'acme', 'note', '{\"title\":\"behind\"}')");
    String position = pipeline.position();

    await()
        .atMost(TestPipeline.LIMIT)
        .untilAsserted(
            () ->
                assertThat(pipeline.replica("select stopped from tidemark_watermark").getFirst())
                    .contains("offset ")
                    .contains("replica_docs")
                    .doesNotContain("title\":"));
    assertThat(
            pipeline
                .caller("acme")
                .get("/api/replica/replica_docs", "X-Required-LSN", position, "Prefer", "wait=1")
                .status())
        .isEqualTo(202);
    assertThat(titles(pipeline)).hasSize(2);
    assertThat(pipeline.services().projector().problem().orElse("")).contains("replica_docs");
  }

  @Test
  @DisplayName("B18 a stopped partition goes on when the route no longer reads the value")
  void aStoppedPartitionGoesOnWithAnotherRoute() throws Exception {
    pipeline.source("insert into docs_src values (1, 'acme', 'note', '{\"title\":\"a\\u0000b\"}')");
    await()
        .atMost(TestPipeline.LIMIT)
        .until(
            () ->
                !pipeline
                    .replica("select 1 from tidemark_watermark where stopped <> ''")
                    .isEmpty());

    pipeline.restart(
        """
        partitions: 1
        routes:
          - table: docs_src
            tenant: tenant
            target: replica_docs
            columns:
              - { name: plain, from: doc, type: text }
        """);

    pipeline.catchUp();
    assertThat(pipeline.replica("select id || ' ' || plain from replica_docs order by id"))
        .isEqualTo(pipeline.source("select id || ' ' || doc from docs_src order by id"));
  }
}
