package dev.tidemark.tests.bugs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.standalone.Layout;
import dev.tidemark.standalone.client.Answer;
import dev.tidemark.tests.harness.TestPipeline;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A position that no captured row stands at is reached all the same, for every tenant, without any
 * later write.
 *
 * <p>B26: <a href="https://github.com/powersync-ja/powersync-service/issues/704">an idle server and
 * a position that is never reached</a>, <a
 * href="https://github.com/airbytehq/airbyte/pull/42431">messages of other tools</a>.
 */
@ParameterizedClass
@EnumSource(Layout.class)
@DisplayName("B26 positions of writes that produce no event")
class IdleSourceTest {

  private static final String ROUTES =
      """
      partitions: 4
      routes:
        - table: line
          tenant: tenant
          target: replica_line
          columns:
            - { name: v, from: v }
      """;

  private static final List<String> TENANTS = List.of("acme", "globex", "initech", "umbrella");

  @SuppressWarnings("NullAway.Init") // by start()
  private static TestPipeline pipeline;

  @SuppressWarnings("UnusedVariable") // the parameter of the class, which start() takes
  IdleSourceTest(Layout layout) {}

  @BeforeParameterizedClassInvocation
  static void start(Layout layout) throws Exception {
    pipeline =
        TestPipeline.start(
            layout,
            ROUTES,
            "create table line(id int primary key, tenant text not null, v int)",
            "insert into line values (1, 'acme', 1)",
            "create table unrelated(id int)");
    pipeline.catchUp();
  }

  @AfterParameterizedClassInvocation
  static void stop() throws Exception {
    pipeline.close();
  }

  /** The position as a client gets it after its write, taken before the log moves on by itself. */
  private static void assertReached(String position) {
    for (String tenant : TENANTS) {
      Answer answer = pipeline.caller(tenant).gated("/api/replica/replica_line", position);
      assertThat(answer.status()).isEqualTo(200);
    }
  }

  private static String after(String sql) throws SQLException {
    try (Connection connection = pipeline.sourceDatabase().connect();
        Statement statement = connection.createStatement()) {
      for (String each : sql.split(";")) {
        statement.execute(each);
      }
      try (var row = statement.executeQuery("select pg_current_wal_insert_lsn()::text")) {
        row.next();
        return row.getString(1);
      }
    }
  }

  @Test
  void aWriteToATableWithoutARoute() throws SQLException {
    assertReached(after("insert into unrelated values (1)"));
  }

  @Test
  void anUpdateThatHitsNoRow() throws SQLException {
    assertReached(after("update line set v = 0 where id = -1"));
  }

  @Test
  void aTransactionThatIsRolledBack() throws SQLException {
    assertReached(after("begin; insert into line values (-5, 'acme', 1); rollback"));
    assertThat(pipeline.replica("select id from replica_line where id = -5")).isEmpty();
  }

  @Test
  void aMessageOfAnotherToolInATransaction() throws SQLException {
    assertReached(after("select pg_logical_emit_message(true, 'other-tool', 'hi')"));
  }

  @Test
  void aMessageOfAnotherToolOutsideOfTransactions() throws SQLException {
    assertReached(after("select pg_logical_emit_message(false, 'other-tool', 'hi')"));
  }

  @Test
  void aSwitchOfTheLogsSegment() throws SQLException {
    assertReached(after("insert into unrelated values (2); select pg_switch_wal()"));
  }

  @Test
  void aWriteToAnotherDatabaseOfTheCluster() throws SQLException {
    pipeline.sourceDatabase().cluster().createDatabase(pipeline.sourceDatabase().name() + "_other");
    try (Connection connection =
            pipeline
                .sourceDatabase()
                .cluster()
                .connect(pipeline.sourceDatabase().name() + "_other");
        Statement statement = connection.createStatement()) {
      statement.execute("create table t as select generate_series(1, 1000) i");
    }
    assertReached(pipeline.position());
  }

  @Test
  void aChangeOfATable() throws SQLException {
    assertReached(after("create table more(id int); alter table more add v int; drop table more"));
  }

  @Test
  void theSourcesPositionAtTheRequestsArrival() throws Exception {
    Answer answer =
        pipeline
            .caller("acme")
            .get("/api/replica/replica_line", "X-Required-LSN", "latest", "Prefer", "wait=30");

    assertThat(answer.status()).isEqualTo(200);
  }
}
