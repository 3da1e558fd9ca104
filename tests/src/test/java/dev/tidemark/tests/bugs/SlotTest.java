package dev.tidemark.tests.bugs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tidemark.tests.harness.TestPipeline;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The replication slot: what it lacks is read again, and what it need not keep it lets go.
 *
 * <ul>
 *   <li>B09: <a href="https://github.com/confluentinc/bottledwater-pg/issues/81">a column added
 *       with a default</a>, routed later
 *   <li>B27: <a href="https://github.com/readysettech/readyset/issues/263">another database is busy
 *       and the log piles up</a>
 *   <li>B28: <a href="https://github.com/spiceai/spiceai/pull/11289">a table attached later</a>
 *   <li>B30: <a href="https://github.com/PostHog/posthog/pull/65585">ghost rows after a lost
 *       slot</a>, <a href="https://github.com/debezium/debezium/pull/3970">a slot made again
 *       without a word</a>
 * </ul>
 */
@Tag("core")
class SlotTest {

  private static final String HEAD =
      """
      partitions: 2
      routes:
        - table: hub
          tenant: tenant
          target: replica_hub
          columns:
            - { name: label, from: label }
      """;

  private static final String LATER =
      """
            - { name: c, from: c }
        - table: leg
          tenant: tenant
          target: replica_leg
          columns:
            - { name: km, from: km }
      """;

  private TestPipeline pipeline;

  @BeforeEach
  void start() throws Exception {
    pipeline =
        TestPipeline.start(
            HEAD,
            "create table hub(id int primary key, tenant text not null, label text)",
            "create table leg(id int primary key, tenant text not null, km int)",
            "insert into hub values (1, 'acme', 'one'), (2, 'globex', 'two')",
            "insert into leg select i, 'acme', i from generate_series(1, 1000) i");
    pipeline.catchUp();
  }

  @AfterEach
  void stop() throws Exception {
    pipeline.close();
  }

  private String generation() throws SQLException {
    return pipeline.replica("select max(generation) from tidemark_watermark").getFirst();
  }

  private void changeWhileStopped() throws Exception {
    pipeline.stop();
    pipeline.source(
        "delete from hub where id = 1; update hub set label = 'TWO' where id = 2;"
            + " insert into hub values (3, 'acme', 'three')");
  }

  private void assertReadAgain(String before) throws Exception {
    pipeline.catchUp();
    assertThat(pipeline.replica("select (id, label)::text from replica_hub order by id"))
        .containsExactly("(2,TWO)", "(3,three)");
    assertThat(Integer.parseInt(generation())).isGreaterThan(Integer.parseInt(before));
  }

  @Test
  @DisplayName(
      "B30 what was deleted while the slot was gone, or made again by hand, does not survive")
  void whatWasDeletedWhileTheSlotWasGone() throws Exception {
    String before = generation();
    String token = pipeline.position();
    String history = pipeline.replica("select max(history) from tidemark_watermark").getFirst();
    changeWhileStopped();
    pipeline.source("select pg_drop_replication_slot('" + pipeline.slot() + "')");
    pipeline.source(
        "select pg_create_logical_replication_slot('" + pipeline.slot() + "', 'pgoutput')");
    pipeline.startAgain();

    assertReadAgain(before);
    // A position from before is good, and its history tells that a resync came between.
    assertThat(pipeline.caller("acme").gated("/api/replica/replica_hub", token).status())
        .isEqualTo(200);
    assertThat(
            pipeline
                .caller("acme")
                .get(
                    "/api/replica/replica_hub",
                    "X-Required-LSN",
                    token,
                    "X-Required-Generation",
                    history)
                .status())
        .isEqualTo(409);
  }

  @Test
  @DisplayName("B30 a slot whose log was removed is made again with everything read anew")
  void aSlotWhoseLogWasRemoved() throws Exception {
    String before = generation();
    changeWhileStopped();
    pipeline.source("alter system set max_slot_wal_keep_size = '1MB'");
    try {
      pipeline.source("select pg_reload_conf()");
      await()
          .atMost(TestPipeline.LIMIT)
          .until(
              () -> {
                pipeline.source("create table if not exists filler(t text)");
                pipeline.source(
                    "insert into filler select repeat('x', 1000) from generate_series(1, 9000)");
                pipeline.source("select pg_switch_wal()");
                pipeline.source("checkpoint");
                return pipeline
                    .source(
                        "select wal_status from pg_replication_slots where slot_name = '%s'"
                            .formatted(pipeline.slot()))
                    .contains("lost");
              });
    } finally {
      pipeline.source("alter system reset max_slot_wal_keep_size");
      pipeline.source("select pg_reload_conf()");
    }
    pipeline.startAgain();

    assertReadAgain(before);
  }

  @Test
  @DisplayName("B27 the slot lets go of the log while only others write")
  void theSlotLetsGoOfTheLog() throws Exception {
    String other = pipeline.sourceDatabase().name() + "_busy";
    var cluster = pipeline.sourceDatabase().cluster();
    cluster.createDatabase(other);
    try (var connection = cluster.connect(other);
        var statement = connection.createStatement()) {
      statement.execute(
          "create table t as select repeat('x', 1000) from generate_series(1, 20000)");
    }
    pipeline.source(
        "create table unrouted as select repeat('x', 1000) t from generate_series(1, 20000)");
    String position = pipeline.position();

    await()
        .atMost(TestPipeline.LIMIT)
        .until(
            () -> {
              // Logs the running transactions, from where on decoding can begin.
              pipeline.source("checkpoint");
              return pipeline
                  .source(
                      "select restart_lsn >= '%s' and confirmed_flush_lsn >= '%1$s' from pg_replication_slots where slot_name = '%s'"
                          .formatted(position, pipeline.slot()))
                  .contains("t");
            });
  }

  @Test
  @DisplayName(
      "B28 B09 a table and a column that are routed later hold the rows from before, without a gap")
  void whatIsRoutedLater() throws Exception {
    pipeline.source(
        "alter table hub add c int not null default 7; alter table hub alter c set default 8");
    pipeline.source("insert into hub (id, tenant) values (3, 'acme')");

    pipeline.restart(HEAD + LATER);
    for (int i = 0; i < 20; i++) {
      pipeline.source(
          "insert into leg values (%d, 'acme', 0); delete from leg where id = %d"
              .formatted(2000 + i, i + 1));
      pipeline.source("update leg set km = -km where id %% 50 = %d".formatted(i));
      int status = pipeline.caller("acme").get("/api/replica/replica_leg").status();
      assertThat(status).isIn(200, 503);
    }

    pipeline.catchUp();
    assertThat(pipeline.replica("select (id, c)::text from replica_hub order by id"))
        .containsExactly("(1,7)", "(2,7)", "(3,8)");
    assertThat(pipeline.replica("select (id, km)::text from replica_leg order by id"))
        .isEqualTo(pipeline.source("select (id, km)::text from leg order by id"));
  }
}
