package dev.tidemark.tests.bugs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.tests.harness.TestPipeline;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Values that PostgreSQL holds out of line, and does not send when an update leaves them alone. */
class LargeValueTest {

  private static final String ROUTES =
      """
      partitions: 4
      routes:
        - doctype: Note
          target: replica_doc_note
          columns:
            - { name: body, from: body }
        - table: note
          tenant: tenant
          target: replica_note
          columns:
            - { name: body, from: body }
            - { name: hits, from: hits }
        - table: shared_note
          target: replica_shared
          columns:
            - { name: body, from: body }
            - { name: hits, from: hits }
        - table: long_key
          tenant: tenant
          target: replica_long_key
          columns:
            - { name: v, from: v }
      """;

  private static TestPipeline pipeline;

  @BeforeAll
  static void start() throws Exception {
    pipeline =
        TestPipeline.start(
            ROUTES,
            "create table note(id int primary key, tenant text not null, body text, hits int);"
                + "alter table note alter body set storage external",
            // Without a tenant the replica identity stays the primary key.
            "create table shared_note(id int primary key, body text, hits int);"
                + "alter table shared_note alter body set storage external",
            "create table long_key(k text primary key, tenant text not null, v int);"
                + "alter table long_key alter k set storage external");
    pipeline.catchUp();
  }

  @AfterAll
  static void stop() throws Exception {
    pipeline.close();
  }

  private static void assertSame(String source, String replica) throws SQLException {
    pipeline.catchUp();
    String columns = "select (id, body, hits)::text from %s order by id";
    assertThat(pipeline.replica(columns.formatted(replica)))
        .isEqualTo(pipeline.source(columns.formatted(source)));
  }

  @Test
  @DisplayName("B01 an insert and a small update that fall into one batch keep the large value")
  void anInsertAndASmallUpdateKeepTheLargeValue() throws Exception {
    for (String table : new String[] {"note", "shared_note"}) {
      String columns = table.equals("note") ? "(id, tenant, body, hits)" : "(id, body, hits)";
      String tenant = table.equals("note") ? "'acme', " : "";
      pipeline.services().projector().pause();
      pipeline.source(
          ("insert into %1$s %2$s values (1, %3$srepeat('q', 20000), 0);"
                  + " update %1$s set hits = 1 where id = 1")
              .formatted(table, columns, tenant));
      pipeline.source(
          "insert into %s %s values (2, %s'__debezium_unavailable_value', 0)"
              .formatted(table, columns, tenant));
      pipeline.source("update %s set hits = 2 where id = 2".formatted(table));
      pipeline.source("update %s set hits = 3 where id = 1".formatted(table));
      pipeline.source("update %s set id = 4 where id = 1".formatted(table));
      pipeline.services().projector().resume();

      assertSame(table, table.equals("note") ? "replica_note" : "replica_shared");
    }
    assertThat(
            pipeline.caller("acme").get("/api/replica/replica_note/2").json().path("body").asText())
        .isEqualTo("__debezium_unavailable_value");
  }

  @Test
  @DisplayName("B03 a key that is held out of line itself names one row")
  void aLargeKeyNamesOneRow() throws Exception {
    pipeline.source("insert into long_key values (repeat('k', 2500), 'acme', 1)");
    pipeline.source("update long_key set v = 2");

    pipeline.catchUp();
    assertThat(pipeline.replica("select (k, v)::text from replica_long_key"))
        .isEqualTo(pipeline.source("select (k, v)::text from long_key"));
  }

  @Test
  void aLargeDocumentSurvivesAWriteThatLeavesItAlone() throws Exception {
    String body = "x".repeat(200_000);
    pipeline.caller("acme").put("/api/doc/Note/N", "{\"body\":\"" + body + "\"}");
    pipeline.source("update tidemark_doc set version = version + 1");

    pipeline.catchUp();
    assertThat(
            pipeline
                .caller("acme")
                .get("/api/replica/replica_doc_note/N")
                .json()
                .path("body")
                .asText())
        .isEqualTo(body);
  }
}
