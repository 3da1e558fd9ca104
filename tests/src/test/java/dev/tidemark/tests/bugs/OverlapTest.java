package dev.tidemark.tests.bugs;

import static dev.tidemark.tests.harness.TableEvents.hasRow;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.tests.harness.TableEvents;
import dev.tidemark.tests.harness.TestPipeline;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Transactions that overlap, roll back in part, or are large.
 *
 * <ul>
 *   <li>B22: <a href="https://github.com/electric-sql/electric/issues/1548">positions inside of
 *       transactions go back</a>
 *   <li>B32: <a href="https://github.com/Trendyol/go-pq-cdc/pull/166">savepoints in big
 *       transactions</a>
 * </ul>
 */
@Tag("core")
class OverlapTest {

  private static final String ROUTES =
      """
      partitions: 4
      routes:
        - table: silent
          tenant: tenant
          target: replica_silent
          columns:
            - { name: v, from: v }
      """;

  private static TestPipeline pipeline;

  @BeforeAll
  static void start() throws Exception {
    pipeline =
        TestPipeline.start(
            ROUTES, "create table silent(id int primary key, tenant text not null, v int)");
    pipeline.catchUp();
  }

  @AfterAll
  static void stop() throws Exception {
    pipeline.close();
  }

  @BeforeEach
  void empty() throws SQLException {
    pipeline.source("delete from silent");
  }

  private static void assertSame() throws SQLException {
    pipeline.catchUp();
    assertThat(pipeline.replica("select (tenant_id, id, v)::text from replica_silent order by 1"))
        .isEqualTo(pipeline.source("select (tenant, id, v)::text from silent order by 1"));
  }

  @Test
  @DisplayName("B22 a transaction whose rows were logged before another's commit arrives whole")
  void aTransactionThatCommitsLate() throws Exception {
    try (Connection a = pipeline.sourceDatabase().connect();
        Statement first = a.createStatement()) {
      a.setAutoCommit(false);
      first.execute("insert into silent values (1, 'acme', 1)");
      String inside;
      try (var row = first.executeQuery("select pg_current_wal_insert_lsn()::text")) {
        row.next();
        inside = row.getString(1);
      }
      pipeline.source("insert into silent values (2, 'acme', 2)");
      first.execute("insert into silent values (3, 'acme', 3)");
      // A position from inside of a transaction tells of the commits before it alone.
      assertThat(
              pipeline
                  .caller("acme")
                  .gated("/api/replica/replica_silent", inside)
                  .json()
                  .path("rows"))
          .hasSizeLessThanOrEqualTo(1);
      a.commit();
    }
    assertThat(
            pipeline
                .caller("acme")
                .gated("/api/replica/replica_silent", pipeline.position())
                .json()
                .path("rows"))
        .hasSize(3);
    assertSame();
  }

  @Test
  @DisplayName("B32 rows of a rolled-back savepoint in a spilled transaction never arrive")
  void rowsOfARolledBackSavepoint() throws Exception {
    pipeline.source("alter system set logical_decoding_work_mem = '64kB'");
    pipeline.source("select pg_reload_conf()");
    try {
      String rows =
          "insert into silent select i, 'tenant-' || i %% 9, i from generate_series(%d, %d) i;";
      pipeline.source(
          "begin;"
              + rows.formatted(1, 500)
              + "savepoint s;"
              + rows.formatted(501, 1000)
              + "rollback to s;"
              + rows.formatted(1001, 1005)
              + "savepoint t; savepoint u;"
              + rows.formatted(2001, 2500)
              + "release u; rollback to t; commit");

      assertSame();
      assertThat(pipeline.replica("select count(*) from replica_silent")).containsExactly("505");
      assertThat(TableEvents.until(pipeline, "silent", hasRow(1005)).stream().filter(hasRow(501)))
          .isEmpty();
    } finally {
      pipeline.source("alter system reset logical_decoding_work_mem");
      pipeline.source("select pg_reload_conf()");
    }
  }

  @Test
  @DisplayName("B32 while a big transaction is on its way a small one is read under its own token")
  void aSmallTransactionBesideABigOne() throws Exception {
    try (Connection big = pipeline.sourceDatabase().connect();
        Statement statement = big.createStatement()) {
      big.setAutoCommit(false);
      statement.execute(
          "insert into silent select i, 'tenant-' || i % 2, i from generate_series(1, 30000) i");
      pipeline.source("insert into silent values (-1, 'acme', -1)");
      String small = pipeline.position();
      assertThat(pipeline.caller("acme").gated("/api/replica/replica_silent/-1", small).status())
          .isEqualTo(200);
      big.commit();
    }
    String position = pipeline.position();
    assertThat(
            pipeline
                .caller("tenant-1")
                .gated("/api/replica/replica_silent/29999", position)
                .status())
        .isEqualTo(200);
    assertThat(pipeline.replica("select count(*) from replica_silent where tenant_id = 'tenant-1'"))
        .containsExactly("15000");
    assertSame();
  }
}
