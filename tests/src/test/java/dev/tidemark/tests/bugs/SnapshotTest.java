package dev.tidemark.tests.bugs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tidemark.tests.harness.HeldLoad;
import dev.tidemark.tests.harness.Installation;
import dev.tidemark.tests.harness.TestPipeline;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A first load that is killed begins again, and ends at the source.
 *
 * <p>B28: <a href="https://github.com/redpanda-data/connect/pull/4584">a crash between snapshot and
 * streaming loses the snapshot</a>.
 */
class SnapshotTest {

  private static final int ROWS = 40_000;

  private static final String DOCUMENTS =
      """
      pipeline: snap
      slot: snap
      publication: snap
      partitions: 2
      routes:
        - doctype: Note
          target: replica_note
          columns:
            - { name: n, from: n }
      """;

  private static final String SNAP =
      """
        - table: snap_src
          tenant: tenant
          target: replica_snap
          columns:
            - { name: v, from: v, type: bigint }
            - { name: pad, from: pad }
      """;

  @TempDir private Path folder = Path.of("");

  @Test
  @DisplayName(
      "B28 a snapshot that is killed in its middle and after its end loses and keeps nothing")
  void aSnapshotThatIsKilled() throws Exception {
    Path routes = Files.writeString(folder.resolve("routes.yaml"), DOCUMENTS);
    Path data = folder.resolve("data");
    try (Installation first = Installation.start(data, routes)) {
      replica(first, HeldLoad.before("replica_snap", ROWS));
      source(
          first,
          "create table snap_src(id int primary key, tenant text not null, v int, pad text);"
              + " insert into snap_src select i, 'tenant-' || i % 5, i, repeat('p', 200)"
              + " from generate_series(1, "
              + ROWS
              + ") i");
    }
    Files.writeString(routes, DOCUMENTS + SNAP);

    Installation running = Installation.start(data, routes);
    try {
      // In the middle of the load.
      await()
          .atMost(TestPipeline.LIMIT)
          .until(() -> !replica(running, "select 1 from replica_snap limit 1").isEmpty());
      assertThat(running.caller("tenant-0").get("/api/replica/replica_snap").status())
          .isEqualTo(503);
      change(running, 1);
    } finally {
      running.kill();
    }
    Installation second = Installation.start(data, routes);
    try {
      replica(second, HeldLoad.RELEASE);
      change(second, 2);
      // After its end, with changes on their way.
      await()
          .atMost(TestPipeline.LIMIT)
          .until(
              () ->
                  replica(second, "select min(lsn) > '0/0' from tidemark_watermark").contains("t"));
      change(second, 3);
    } finally {
      second.kill();
    }
    try (Installation last = Installation.start(data, routes)) {
      change(last, 4);
      String position = source(last, "select pg_current_wal_insert_lsn()::text").getFirst();
      for (int tenant = 0; tenant < 5; tenant++) {
        assertThat(
                last.caller("tenant-" + tenant)
                    .gated("/api/replica/replica_snap?limit=1", position)
                    .status())
            .isEqualTo(200);
      }
      String sums =
          "select count(*) || ' ' || sum(v) || ' ' || sum(id) || ' ' || count(distinct id) from ";
      assertThat(replica(last, sums + "replica_snap")).isEqualTo(source(last, sums + "snap_src"));
      assertThat(Files.readString(data.resolve("tidemark.log")))
          .containsPattern("snapshot complete rows=\\d+ rows/s=\\d+ last table=public.snap_src");
    }
  }

  /** Inserts, updates and deletes of rows all over the table. */
  private static void change(Installation running, int round) throws SQLException {
    for (int i = 0; i < 5; i++) {
      source(
          running,
          "insert into snap_src values (%1$d, 'tenant-%2$d', %1$d, 'new')"
              .formatted(1_000_000 * round + i, i % 5));
      source(running, "update snap_src set v = -v where id % 997 = " + (i * 100 + round));
      source(running, "delete from snap_src where id % 991 = " + (i * 100 + round));
    }
  }

  private static List<String> source(Installation running, String sql) throws SQLException {
    return query(running.endpoints().sourceJdbcUrl(), sql);
  }

  private static List<String> replica(Installation running, String sql) throws SQLException {
    return query(running.endpoints().replicaJdbcUrl(), sql);
  }

  private static List<String> query(String url, String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      List<String> values = new ArrayList<>();
      if (statement.execute(sql)) {
        try (ResultSet row = statement.getResultSet()) {
          while (row.next()) {
            values.add(row.getString(1));
          }
        }
      }
      return values;
    }
  }
}
