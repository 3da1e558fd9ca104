package dev.tidemark.tests.road;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.tests.harness.TestPipeline;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What one transaction of the source did to one tenant is visible as a whole or not at all. */
class TransactionVisibilityTest {

  private static final int TRANSACTIONS = 400;

  private static final String ROUTES =
      """
      partitions: 4
      routes:
        - doctype: Waybill
          target: replica_waybill
          columns:
            - { name: step, from: step, type: integer }
        - table: line
          tenant: tenant
          target: replica_line
          columns:
            - { name: step, from: step }
      """;

  private static TestPipeline pipeline;

  @BeforeAll
  static void start() throws Exception {
    pipeline =
        TestPipeline.start(
            ROUTES, "create table line(id int primary key, tenant text not null, step int)");
    pipeline.catchUp();
  }

  @AfterAll
  static void stop() throws Exception {
    pipeline.close();
  }

  @Test
  void rowsOfSeveralTablesMoveTogether() throws Exception {
    pipeline.source(
        "insert into tidemark_doc (tenant_id, doctype, name, data, version, created_at, updated_at)"
            + " values ('acme', 'Waybill', 'W-1', '{\"step\":0}', 1, now(), now()),"
            + " ('acme', 'Waybill', 'W-2', '{\"step\":0}', 1, now(), now());"
            + " insert into line values (1, 'acme', 0), (2, 'acme', 0)");
    pipeline.catchUp();
    AtomicBoolean over = new AtomicBoolean();
    try (ExecutorService threads = Executors.newSingleThreadExecutor()) {
      Future<Set<List<String>>> seen = threads.submit(() -> pictures(over));
      try (Connection connection = pipeline.sourceDatabase().connect();
          Statement statement = connection.createStatement()) {
        connection.setAutoCommit(false);
        for (int step = 1; step <= TRANSACTIONS; step++) {
          statement.execute("update line set step = %d where id = 1".formatted(step));
          statement.execute(
              "update tidemark_doc set data = '{\"step\":%d}' where name = 'W-1'".formatted(step));
          statement.execute(
              "update tidemark_doc set data = '{\"step\":%d}' where name = 'W-2'".formatted(step));
          statement.execute("update line set step = %d where id = 2".formatted(step));
          connection.commit();
        }
        pipeline.catchUp();
      } finally {
        over.set(true);
      }
      Set<List<String>> pictures = seen.get();
      assertThat(pictures).allSatisfy(steps -> assertThat(new HashSet<>(steps)).hasSize(1));
      assertThat(pictures).as("the reader looked while the rows moved").hasSizeGreaterThan(2);
      assertThat(pictures).contains(List.of("0", "0", "0", "0"));
      assertThat(pipeline.replica("select step from replica_line where id = 1"))
          .containsExactly(Integer.toString(TRANSACTIONS));
    }
  }

  /** Every different answer to one query over all four rows. */
  private static Set<List<String>> pictures(AtomicBoolean over) throws Exception {
    Set<List<String>> pictures = new HashSet<>();
    try (Connection connection = pipeline.replicaDatabase().connect();
        PreparedStatement query =
            connection.prepareStatement(
                "select step from replica_line where id < 100"
                    + " union all select step from replica_waybill")) {
      while (!over.get()) {
        List<String> steps = new ArrayList<>();
        try (ResultSet rows = query.executeQuery()) {
          while (rows.next()) {
            steps.add(rows.getString(1));
          }
        }
        pictures.add(steps);
      }
    }
    return pictures;
  }

  @Test
  @DisplayName("B22 transactions that interleave all arrive, in the order of their commits")
  void interleavedTransactionsAllArrive() throws Exception {
    try (Connection a = pipeline.sourceDatabase().connect();
        Connection b = pipeline.sourceDatabase().connect();
        Statement first = a.createStatement();
        Statement second = b.createStatement()) {
      a.setAutoCommit(false);
      b.setAutoCommit(false);
      second.execute("insert into line values (100, 'acme', 1)");
      first.execute("insert into line values (101, 'acme', 1)");
      a.commit();
      String afterFirst = pipeline.position();
      assertThat(lines(afterFirst)).containsExactly("101");

      second.execute("insert into line values (102, 'acme', 1)");
      b.commit();
      String afterSecond = pipeline.position();

      assertThat(lines(afterSecond)).containsExactly("100", "101", "102");
      assertThat(
              pipeline.replica(
                  "select id from replica_line where id >= 100 order by source_lsn, id"))
          .containsExactly("101", "100", "102");
    }
  }

  private static List<String> lines(String position) {
    return pipeline
        .caller("acme")
        .gated("/api/replica/replica_line?limit=1000", position)
        .json()
        .path("rows")
        .valueStream()
        .map(row -> row.path("id").asText())
        .filter(id -> id.length() == 3)
        .sorted()
        .toList();
  }
}
