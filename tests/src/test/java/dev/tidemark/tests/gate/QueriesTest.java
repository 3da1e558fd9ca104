package dev.tidemark.tests.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tidemark.standalone.data.TemporaryFolder;
import dev.tidemark.standalone.postgres.EmbeddedPostgres;
import dev.tidemark.standalone.postgres.PostgresBinaries;
import dev.tidemark.standalone.postgres.PostgresConfig;
import dev.tidemark.tests.harness.BareGateway;
import dev.tidemark.tests.harness.Caller;
import dev.tidemark.tests.harness.TestPipeline;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** How many statements a gated read costs, as {@code pg_stat_statements} counts them. */
class QueriesTest {

  private static final int READS = 50;
  private static final String ROW = BareGateway.ROWS + "/R0";

  private static long calls(BareGateway gateway, String where) throws SQLException {
    try (Connection connection = gateway.replicaDatabase().cluster().connect("postgres");
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "select coalesce(sum(calls), 0) from pg_stat_statements s join pg_roles r on r.oid = s.userid where rolname = 'tidemark_gateway' and "
                    + where)) {
      row.next();
      return row.getLong(1);
    }
  }

  private static long reads(BareGateway gateway) throws SQLException {
    return calls(gateway, "query like '%replica_note%'");
  }

  /** Everything on the source but what the gateway asks by the clock. */
  private static long onTheSource(BareGateway gateway) throws SQLException {
    return calls(
        gateway,
        "dbid = (select oid from pg_database where datname = '"
            + gateway.sourceDatabase().name()
            + "') and query not like '%pg_control_system%'");
  }

  private static long askedPosition(BareGateway gateway) throws SQLException {
    return calls(gateway, "query like '%pg_control_system%'");
  }

  @Test
  void aGatedReadIsOneStatementOnTheReplicaAndNoneOnTheSource() throws Exception {
    try (TemporaryFolder folder = TemporaryFolder.create("tidemark-queries");
        EmbeddedPostgres cluster =
            EmbeddedPostgres.start(
                new PostgresConfig(
                    folder.path().resolve("pg"),
                    PostgresBinaries.DEFAULT_VERSION,
                    "only-for-tests",
                    Map.of("shared_preload_libraries", "pg_stat_statements")))) {
      try (Connection connection = cluster.connect("postgres");
          Statement statement = connection.createStatement()) {
        statement.execute("create extension pg_stat_statements");
      }
      try (BareGateway gateway = BareGateway.start(cluster, cluster)) {
        gateway.rows("acme", 1);
        Caller acme = gateway.caller("acme", "reader");
        // The oldest position that is known, so that it is the one that an hour comes down to.
        String position =
            await()
                .atMost(TestPipeline.LIMIT)
                .until(
                    () -> acme.get(ROW, "X-Max-Staleness-Ms", "3600000").json().path("requiredLsn"),
                    required -> required.isTextual())
                .asText();
        gateway.watermark(position);
        assertThat(acme.get(ROW).status()).isEqualTo(200);
        long replicaBefore = reads(gateway);
        long sourceBefore = onTheSource(gateway);
        for (int i = 0; i < READS; i++) {
          assertThat(acme.get(ROW, "X-Required-LSN", position).status()).isEqualTo(200);
        }
        assertThat(reads(gateway) - replicaBefore).isEqualTo(READS);
        assertThat(onTheSource(gateway) - sourceBefore).isZero();

        // A position in the past a second ago is known; the clock's questions are a few.
        long clockBefore = askedPosition(gateway);
        for (int i = 0; i < READS; i++) {
          assertThat(acme.get(ROW, "X-Max-Staleness-Ms", "3600000").status()).isEqualTo(200);
        }
        assertThat(reads(gateway) - replicaBefore).isEqualTo(2 * READS);
        assertThat(onTheSource(gateway) - sourceBefore).isZero();
        assertThat(askedPosition(gateway) - clockBefore).isLessThan(READS);

        String later = gateway.position();
        for (int i = 0; i < READS; i++) {
          assertThat(acme.get(ROW, "X-Required-LSN", later).status()).isEqualTo(202);
        }
        assertThat(reads(gateway) - replicaBefore).isEqualTo(3 * READS);
        assertThat(onTheSource(gateway) - sourceBefore).isLessThanOrEqualTo(2);
      }
    }
  }
}
