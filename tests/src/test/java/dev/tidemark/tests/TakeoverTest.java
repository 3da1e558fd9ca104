package dev.tidemark.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.standalone.client.Answer;
import dev.tidemark.tests.harness.Servers;
import dev.tidemark.tests.harness.TestPipeline;
import dev.tidemark.topics.schema.Roles;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;

/**
 * Invariant 4: replays and projectors that lost their partition change nothing; the watermark table
 * wins.
 */
class TakeoverTest {

  private static final String ROUTES =
      """
      partitions: 2
      routes:
        - doctype: Waybill
          target: replica_waybill
          columns:
            - { name: ops_status, from: ops_status }
      """;

  private static String put(TestPipeline pipeline, String name, String status) throws Exception {
    Answer answer =
        pipeline
            .client("acme", "ops")
            .put("/api/doc/Waybill/" + name, "{\"ops_status\":\"" + status + "\"}");
    assertThat(answer.status()).isIn(200, 201);
    return answer.header("X-Tx-LSN");
  }

  private static String status(TestPipeline pipeline, String name, String position) {
    Answer answer =
        pipeline.gated("/api/replica/replica_waybill?name=" + name, position, "acme", "care");
    assertThat(answer.status()).isEqualTo(200);
    return answer.json().path("rows").path(0).path("ops_status").asText();
  }

  @Test
  void aProjectorWhosePartitionWasTakenOverWritesNothingMoreAndStartsAnew() throws Exception {
    try (TestPipeline pipeline = TestPipeline.start(ROUTES)) {
      assertThat(status(pipeline, "WB-1", put(pipeline, "WB-1", "one"))).isEqualTo("one");
      pipeline.catchUp();
      String epochs = "select sum(epoch) from tidemark_watermark";
      pipeline.replica("update tidemark_watermark set epoch = epoch + 100");
      long taken = Long.parseLong(pipeline.replica(epochs).getFirst());

      assertThat(status(pipeline, "WB-1", put(pipeline, "WB-1", "two"))).isEqualTo("two");

      assertThat(Long.parseLong(pipeline.replica(epochs).getFirst())).isGreaterThan(taken);
      assertThat(pipeline.replica("select sum(events) from tidemark_watermark"))
          .containsExactly("2");
    }
  }

  @Test
  void aReplicaThatIsRestoredFromABackupIsBroughtUpToDateAgain() throws Exception {
    try (TestPipeline pipeline = TestPipeline.start(ROUTES)) {
      assertThat(status(pipeline, "WB-1", put(pipeline, "WB-1", "before"))).isEqualTo("before");
      pipeline.catchUp();
      pipeline.stop();
      String name = pipeline.replicaDatabase().name();
      administer(pipeline, "create database " + name + "_backup template " + name);
      pipeline.startAgain();
      assertThat(status(pipeline, "WB-1", put(pipeline, "WB-1", "after"))).isEqualTo("after");
      assertThat(status(pipeline, "WB-2", put(pipeline, "WB-2", "new"))).isEqualTo("new");
      pipeline.stop();
      administer(pipeline, "drop database " + name + " with (force)");
      administer(pipeline, "alter database " + name + "_backup rename to " + name);

      pipeline.startAgain();

      pipeline.catchUp();
      assertThat(
              pipeline.replica("select name || ' ' || ops_status from replica_waybill order by 1"))
          .containsExactly("WB-1 after", "WB-2 new");
    }
  }

  @Test
  void aRunTakesTheSlotFromAFormerLeaderThatStillHoldsIt() throws Exception {
    try (TestPipeline pipeline = TestPipeline.start(ROUTES)) {
      assertThat(status(pipeline, "WB-1", put(pipeline, "WB-1", "one"))).isEqualTo("one");
      String generation = "select max(generation) from tidemark_watermark";
      List<String> before = pipeline.replica(generation);
      pipeline.stop();
      try (Connection former = replication(pipeline)) {
        former
            .unwrap(PGConnection.class)
            .getReplicationAPI()
            .replicationStream()
            .logical()
            .withSlotName(pipeline.slot())
            .withSlotOption("proto_version", "1")
            .withSlotOption("publication_names", pipeline.slot())
            .start();

        pipeline.startAgain();

        assertThat(status(pipeline, "WB-1", put(pipeline, "WB-1", "two"))).isEqualTo("two");
        assertThat(pipeline.replica(generation)).isEqualTo(before);
      }
    }
  }

  /** A connection for replication that the server never gives up by itself. */
  private static Connection replication(TestPipeline pipeline) throws SQLException {
    String role = Roles.CAPTURE.roleName();
    Properties properties = new Properties();
    properties.setProperty("user", role);
    properties.setProperty("password", Servers.shared().secrets().password(role));
    properties.setProperty("replication", "database");
    properties.setProperty("assumeMinServerVersion", "15");
    properties.setProperty("preferQueryMode", "simple");
    properties.setProperty("options", "-c wal_sender_timeout=0");
    return DriverManager.getConnection(pipeline.sourceDatabase().jdbcUrl(), properties);
  }

  private static void administer(TestPipeline pipeline, String sql) throws Exception {
    try (Connection connection = pipeline.replicaDatabase().cluster().connect("postgres");
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
