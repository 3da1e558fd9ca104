package dev.tidemark.tests.bugs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tidemark.tests.harness.Servers;
import dev.tidemark.tests.harness.TestPipeline;
import dev.tidemark.tests.harness.TopicReader;
import dev.tidemark.topics.TopicNames;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Rows up to the limit of a record ({@link TopicNames#MAX_RECORD_BYTES}) arrive byte for byte; a
 * larger one stops capture before it, and nothing is skipped.
 *
 * <p>B43: <a href="https://github.com/supabase/realtime/issues/252">a row that is too large is
 * cut</a>, <a href="https://github.com/dbtrail/dbtrail/issues/652">lost without a word</a>.
 */
class HugeRowTest {

  private static final String ROUTES =
      """
      partitions: 1
      routes:
        - table: pile
          tenant: tenant
          target: replica_pile
          columns:
            - { name: txt, from: txt }
            - { name: doc, from: doc }
            - { name: bin, from: bin }
            - { name: hits, from: hits }
      """;

  private static TestPipeline pipeline;

  @BeforeAll
  static void start() throws Exception {
    pipeline =
        TestPipeline.start(
            ROUTES,
            "create table pile(id int primary key, tenant text not null, txt text, doc jsonb,"
                + " bin bytea, hits int)");
    pipeline.catchUp();
  }

  @AfterAll
  static void stop() throws Exception {
    pipeline.close();
  }

  private static List<String> sums(boolean source) throws Exception {
    String sql =
        "select (id, hits, md5(txt), md5(doc::text), md5(bin), length(txt), length(bin))::text from "
            + (source ? "pile" : "replica_pile")
            + " order by id";
    return source ? pipeline.source(sql) : pipeline.replica(sql);
  }

  @Test
  @DisplayName(
      "B43 rows up to the limit arrive byte for byte, and a larger one stops capture before it")
  void rowsUpToTheLimit() throws Exception {
    pipeline.source("truncate pile");
    // Half of the bytes in one column of each type: bytea takes two characters for a byte.
    for (double megabytes : new double[] {0.9, 1.1, 12}) {
      int half = (int) (megabytes * 500_000);
      pipeline.source(
          "insert into pile select coalesce(max(id), 0) + 1, 'acme', 'small' from pile");
      for (String columns :
          List.of(
              "txt) select coalesce(max(id), 0) + 1, 'acme', repeat('tê', %d)",
              "doc) select coalesce(max(id), 0) + 1, 'acme', jsonb_build_object('d', repeat('dê', %d))",
              "bin) select coalesce(max(id), 0) + 1, 'acme', decode(repeat('00ff', %d), 'hex')")) {
        pipeline.source("insert into pile(id, tenant, " + columns.formatted(half) + " from pile");
      }
    }
    pipeline.source("update pile set hits = 1");
    pipeline.catchUp();
    assertThat(sums(false)).isEqualTo(sums(true)).hasSize(12);

    pipeline.source(
        "insert into pile(id, tenant, txt) values (100, 'acme', repeat('x', %d))"
            .formatted(TopicNames.MAX_RECORD_BYTES + 1));
    pipeline.source("insert into pile(id, tenant, hits) values (101, 'acme', 1)");
    String position = pipeline.position();

    await()
        .atMost(TestPipeline.LIMIT)
        .untilAsserted(
            () ->
                assertThat(pipeline.services().capture().problem().orElse(""))
                    .contains("a change of public.pile takes", "drop the replication slot"));
    assertThat(
            pipeline
                .caller("acme")
                .get("/api/replica/replica_pile/101", "X-Required-LSN", position)
                .status())
        .isEqualTo(202);
    // The slot still holds what was not delivered.
    assertThat(
            pipeline.source(
                "select confirmed_flush_lsn < '%s' from pg_replication_slots where slot_name = '%s'"
                    .formatted(position, pipeline.slot())))
        .containsExactly("t");

    pipeline.source("delete from pile where id = 100");
    await()
        .atMost(TestPipeline.LIMIT)
        .ignoreExceptions() // while the slot is being read
        .untilAsserted(
            () -> pipeline.source("select pg_drop_replication_slot('" + pipeline.slot() + "')"));
    pipeline.catchUp();
    assertThat(sums(false)).isEqualTo(sums(true)).hasSize(13);
  }

  @Test
  @DisplayName("B43 the table topic has the rows as well")
  void theTableTopicHasTheRows() throws Exception {
    pipeline.source("truncate pile");
    pipeline.source("insert into pile select 200, 'acme', repeat('x', 20000000)");
    pipeline.source("update pile set hits = 1 where id = 200");

    await()
        .atMost(TestPipeline.LIMIT)
        .untilAsserted(
            () ->
                assertThat(
                        TopicReader.all(
                                Servers.shared().kafka().bootstrapServers(),
                                pipeline.topics().table("public", "pile"))
                            .stream()
                            .map(message -> message.value().length())
                            .filter(length -> length > 40_000_000))
                    .hasSize(1));
  }
}
