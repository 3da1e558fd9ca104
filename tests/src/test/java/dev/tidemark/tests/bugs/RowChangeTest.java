package dev.tidemark.tests.bugs;

import static dev.tidemark.tests.harness.TableEvents.hasRow;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tidemark.tests.harness.TableEvents;
import dev.tidemark.tests.harness.TestPipeline;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Changes of rows that other tools lose, on tables of every replica identity. After each the
 * replica is the source, and so is the table topic.
 *
 * <ul>
 *   <li>B01: <a href="https://github.com/bruin-data/ingestr/issues/805">an insert and a small
 *       update lose the big column</a>
 *   <li>B03: <a href="https://github.com/ClickHouse/ClickHouse/pull/111552">the key itself is out
 *       of line</a>
 *   <li>B05: <a href="https://github.com/airbytehq/airbyte/issues/8557">a delete carries the key
 *       alone</a>
 *   <li>B07: <a href="https://github.com/Altinity/clickhouse-sink-connector/issues/733">truncate is
 *       skipped</a>
 *   <li>B17: <a href="https://github.com/xataio/pgstream/issues/1089">bytea as the text of its
 *       hex</a>, here as a key
 * </ul>
 */
@Tag("core")
class RowChangeTest {

  private static final String BIG = "tags, doc, bin, body";

  /** By table: the columns that routes read, and the source's name of the tenant. */
  private static final Map<String, String> TABLES =
      Map.of(
          "note", "id, body, tags, doc, bin, hits",
          "shared_note", "id, body, tags, doc, bin, hits",
          "few_note", "id, body, tags, doc, bin, hits",
          "long_key", "k, v",
          "blob_key", "k, v",
          "own_key", "id, v",
          "by_index", "id, code, v",
          "silent", "id, v",
          "par", "id",
          "kid", "id, par");

  /** Those whose rows all tenants share. */
  private static final Set<String> SHARED = Set.of("shared_note", "few_note");

  private static TestPipeline pipeline;

  private static String routes() {
    StringBuilder yaml = new StringBuilder("partitions: 4\nroutes:\n");
    TABLES.forEach(
        (table, columns) -> {
          yaml.append("  - table: ").append(table).append("\n    target: replica_").append(table);
          if (!SHARED.contains(table)) {
            yaml.append("\n    tenant: tenant");
          }
          yaml.append("\n    columns:\n");
          for (String column : columns.split(", ")) {
            yaml.append("      - { name: %1$s, from: %1$s }\n".formatted(column));
          }
        });
    return yaml.toString();
  }

  @BeforeAll
  static void start() throws Exception {
    String columns = "body text, tags text[], doc jsonb, bin bytea, hits int);";
    String external =
        "alter table %1$s alter body set storage external, alter tags set storage external,"
            + " alter doc set storage external, alter bin set storage external;";
    pipeline =
        TestPipeline.start(
            routes(),
            "create table note(id int primary key, tenant text not null, "
                + columns
                + external.formatted("note"),
            // Without a tenant the replica identity stays the primary key.
            "create table shared_note(id int primary key, "
                + columns
                + external.formatted("shared_note"),
            "create table few_note(id int primary key, " + columns + external.formatted("few_note"),
            "create table long_key(k text primary key, tenant text not null, v int);"
                + "alter table long_key alter k set storage external",
            "create table blob_key(k bytea primary key, tenant text not null, v int)",
            "create table own_key(tenant text, id int, v int, primary key (tenant, id))",
            "create table by_index(id int primary key, tenant text not null, code text not null, v int);"
                + " create unique index by_code on by_index(tenant, code, id);"
                + " alter table by_index replica identity using index by_code",
            "create table silent(id int primary key, tenant text not null, v int);"
                + " alter table silent replica identity nothing",
            "create table par(id int primary key, tenant text not null);"
                + " create table kid(id int primary key, tenant text not null, par int references par)");
    pipeline.catchUp();
  }

  @AfterAll
  static void stop() throws Exception {
    pipeline.close();
  }

  @BeforeEach
  void empty() throws SQLException {
    for (String table : TABLES.keySet()) {
      pipeline.source("delete from kid; delete from " + table);
    }
  }

  private static void assertSame(String... tables) throws SQLException {
    pipeline.catchUp();
    for (String table : tables) {
      String row = TABLES.get(table);
      String tenant = SHARED.contains(table) ? "'*'" : "tenant";
      assertThat(
              pipeline.replica(
                  "select (tenant_id, %s)::text from replica_%s order by 1".formatted(row, table)))
          .as(table)
          .isEqualTo(
              pipeline.source(
                  "select (%s, %s)::text from %s order by 1".formatted(tenant, row, table)));
    }
  }

  private static String insert(String table, int id, String marker) {
    String tenant = table.equals("note") ? ", tenant" : "";
    return """
        insert into %1$s(id%2$s, %3$s, hits) values (%4$d%5$s,
          array[repeat('t', 9000), null, %6$s], jsonb_build_object('n', repeat('d', 9000), 'm', %6$s),
          decode(repeat('00ff', 9000), 'hex'), %6$s, 0);
        """
        .formatted(table, tenant, BIG, id, tenant.isEmpty() ? "" : ", 'acme'", marker);
  }

  @ParameterizedTest
  @ValueSource(strings = {"note", "shared_note"})
  @DisplayName("B01 an insert and a small update that fall into one batch keep the large values")
  void anInsertAndASmallUpdateKeepTheLargeValues(String table) throws Exception {
    pipeline.services().projector().pause();
    pipeline.source(
        insert(table, 1, "repeat('q', 20000)")
            + "update %s set hits = 1 where id = 1".formatted(table));
    pipeline.source(insert(table, 2, "'__debezium_unavailable_value'"));
    pipeline.source("update %s set hits = 2 where id = 2".formatted(table));
    pipeline.source(insert(table, 3, "'unchanged'"));
    pipeline.source("update %s set hits = 3".formatted(table));
    pipeline.source("update %s set id = 4 where id = 1".formatted(table));
    pipeline.services().projector().resume();

    assertSame(table);
    assertThat(
            pipeline
                .caller("acme")
                .get("/api/replica/replica_" + table + "/2")
                .json()
                .path("body")
                .asText())
        .isEqualTo("__debezium_unavailable_value");
    assertTopicHoldsNoPlaceholder(table);
  }

  /** A column that the source left out is absent; no text stands for it. */
  private static void assertTopicHoldsNoPlaceholder(String table) throws Exception {
    for (JsonNode event : TableEvents.until(pipeline, table, hasRow(4))) {
      JsonNode after = event.path("after");
      if (after.isObject() && after.path("id").asInt() % 3 == 1 && !after.path("body").isNull()) {
        assertThat(after.toString()).doesNotContain("unavailable", "unchanged");
        assertThat(!after.has("body") || after.path("body").asText().length() == 20_000).isTrue();
        assertThat(!after.has("tags") || after.path("tags").size() == 3).isTrue();
      }
    }
  }

  @Test
  @DisplayName("B03 a key that is held out of line itself names one row")
  void aLargeKeyNamesOneRow() throws Exception {
    pipeline.source("insert into long_key values (repeat('k', 2500), 'acme', 1)");
    pipeline.source("update long_key set v = 2");
    assertSame("long_key");

    pipeline.source("update long_key set tenant = 'globex'");
    pipeline.source("update long_key set k = repeat('l', 2500)");
    assertSame("long_key");

    pipeline.source("delete from long_key");
    assertSame("long_key");
  }

  @Test
  @DisplayName("B17 a key of bytes updates and deletes the row that it names")
  void aKeyOfBytes() throws Exception {
    pipeline.source(
        "insert into blob_key values ('\\xdeadbeef', 'acme', 1), ('\\x', 'acme', 1), ('\\x00', 'acme', 1),"
            + " ('\\x5c78', 'acme', 1), ('\\x6465', 'acme', 1)");
    pipeline.source("update blob_key set v = 2 where k in ('\\xdeadbeef', '\\x', '\\x5c78')");
    pipeline.source("delete from blob_key where k in ('\\x00', '\\x')");
    pipeline.source("update blob_key set k = '\\x5c786465' where k = '\\x5c78'");

    assertSame("blob_key");
  }

  @ParameterizedTest
  @ValueSource(strings = {"own_key", "by_index", "silent", "par"})
  @DisplayName("B05 a delete finds its row and its tenant under every replica identity")
  void aDeleteFindsItsRow(String table) throws Exception {
    String more = table.equals("by_index") ? ", code" : "";
    String value = table.equals("by_index") ? ", 'c' || i" : "";
    pipeline.source(
        "insert into %1$s(id, tenant%2$s) select i, case when i %% 2 = 0 then 'acme' else 'globex' end %3$s from generate_series(1, 8) i"
            .formatted(table, more, value));
    assertSame(table);

    pipeline.source("delete from %s where id = 1".formatted(table));
    pipeline.source(
        "delete from %1$s where id = 2; insert into %1$s(id, tenant%2$s) select i, 'globex' %3$s from generate_series(2, 2) i"
            .formatted(table, more, value));
    pipeline.source("update %s set tenant = 'initech' where id = 3".formatted(table));
    pipeline.source("update %s set id = 40 where id = 4".formatted(table));

    assertSame(table);
    assertThat(pipeline.replica("select tenant_id from replica_%s where id = 2".formatted(table)))
        .containsExactly("globex");
  }

  @Test
  @DisplayName("B05 a replica identity that stops telling the tenant stops capture")
  void aReplicaIdentityThatStopsTellingTheTenant() throws Exception {
    pipeline.source("insert into note(id, tenant) values (1, 'acme'), (2, 'acme')");
    assertSame("note");
    pipeline.source("alter table note replica identity default");
    pipeline.source("delete from note where id = 1");
    String position = pipeline.position();

    assertThat(
            pipeline
                .caller("acme")
                .get("/api/replica/replica_note", "X-Required-LSN", position, "Prefer", "wait=1")
                .status())
        .isEqualTo(202);
    await()
        .atMost(TestPipeline.LIMIT)
        .until(
            () ->
                pipeline
                    .services()
                    .capture()
                    .problem()
                    .orElse("")
                    .contains("alter table public.note replica identity full"));
    pipeline.source("alter table note replica identity full");

    assertSame("note");
  }

  @Test
  @DisplayName("B07 truncate removes the older rows of all tenants and keeps later ones")
  void truncateRemovesTheOlderRowsOfAllTenants() throws Exception {
    pipeline.source(
        "insert into par select i, 'tenant-' || i from generate_series(1, 40) i;"
            + " insert into kid select i, 'tenant-' || i, i from generate_series(1, 40) i");
    assertSame("par", "kid");

    pipeline.source("begin; truncate par cascade; insert into par values (77, 'acme'); commit");

    assertSame("par", "kid");
    assertThat(pipeline.replica("select id from replica_par")).containsExactly("77");
    assertThat(pipeline.replica("select count(*) from replica_kid")).containsExactly("0");
  }

  @Test
  @DisplayName("B07 truncate of several tables amid other changes, restarted and rolled back")
  void truncateOfSeveralTables() throws Exception {
    pipeline.source(
        "insert into par values (1, 'acme'), (2, 'globex'); insert into kid values (1, 'acme', 1);"
            + " insert into silent values (1, 'acme', 1)");
    pipeline.source(
        "begin; insert into silent values (2, 'globex', 2); truncate par, kid, silent restart identity;"
            + " insert into silent values (3, 'globex', 3); truncate silent;"
            + " insert into silent values (4, 'acme', 4); commit");
    assertSame("par", "kid", "silent");

    pipeline.source(
        "begin; savepoint s; truncate silent; rollback to s; update silent set v = 5; commit");

    assertSame("silent");
    List<JsonNode> events =
        TableEvents.until(
            pipeline, "silent", hasRow(4).and(event -> event.path("after").path("v").asInt() == 5));
    assertThat(events).filteredOn(event -> event.path("op").asText().equals("t")).hasSize(2);
  }

  @Test
  void keysThatAreSwappedInOneTransaction() throws Exception {
    pipeline.source(
        "insert into own_key values ('acme', 1, 1), ('acme', 2, 2), ('globex', 1, 3);"
            + " insert into silent values (1, 'acme', 1), (2, 'globex', 2)");
    assertSame("own_key", "silent");

    pipeline.source(
        "begin; update own_key set id = 9 where (tenant, id) = ('acme', 1);"
            + " update own_key set id = 1 where (tenant, id) = ('acme', 2);"
            + " update own_key set id = 2 where id = 9;"
            + " update own_key set tenant = 'x' where tenant = 'acme' and id = 1;"
            + " update own_key set tenant = 'acme' where tenant = 'globex';"
            + " update own_key set tenant = 'globex' where tenant = 'x'; commit");
    pipeline.source(
        "begin; update silent set id = 3 where id = 1; update silent set id = 1 where id = 2;"
            + " update silent set id = 2 where id = 3; commit");

    assertSame("own_key", "silent");
  }

  @Test
  void changesOfFewRowsThatAreCommittedTogetherEndAtTheSource() throws Exception {
    pipeline.source(
        insert("few_note", 1, "repeat('q', 20000)")
            + insert("few_note", 2, "'short'")
            + "insert into own_key select 'tenant-' || i % 3, i, 0 from generate_series(0, 5) i");
    pipeline.services().projector().pause();
    Random random = new Random(25);
    for (int i = 0; i < 60; i++) {
      int id = random.nextInt(6);
      int other = random.nextInt(6);
      pipeline.source(
          switch (random.nextInt(7)) {
            case 0 ->
                "insert into own_key values ('tenant-%d', %d, %d) on conflict (tenant, id) do update set v = excluded.v"
                    .formatted(id % 3, id, i);
            case 1 -> "delete from own_key where id = " + id;
            case 2 -> "update own_key set v = %d where id <> %d".formatted(i, id);
            case 3 ->
                "update own_key set tenant = 'tenant-%1$d', id = %2$d where ctid = (select min(ctid) from own_key where id = %3$d) and not exists (select from own_key where id = %2$d)"
                    .formatted(i % 3, other, id);
            case 4 -> "update few_note set hits = hits + 1";
            case 5 ->
                "update few_note set id = %1$d where id = %2$d and not exists (select from few_note where id = %1$d)"
                    .formatted(other, id);
            default ->
                "delete from few_note where id = 2; %s"
                    .formatted(
                        insert("few_note", 2, "'again'")
                            .replace(");", ") on conflict (id) do nothing;"));
          });
    }
    pipeline.services().projector().resume();

    assertSame("own_key", "few_note");
    assertThat(pipeline.replica("select count(*) > 0 from replica_own_key")).containsExactly("t");
  }

  @Test
  @DisplayName("B01 B03 B07 a replay of the log into a wiped replica ends at the source")
  void aReplayIntoAWipedReplica() throws Exception {
    pipeline.source(insert("note", 1, "repeat('q', 20000)") + "update note set hits = 1");
    pipeline.source(
        insert("shared_note", 1, "repeat('q', 20000)") + "update shared_note set id = 2");
    pipeline.source("insert into long_key values (repeat('k', 2500), 'acme', 1)");
    pipeline.source("update long_key set v = 2");
    pipeline.source("insert into par select i, 'tenant-' || i from generate_series(1, 40) i");
    pipeline.source("begin; truncate par cascade; insert into par values (77, 'acme'); commit");
    pipeline.source("insert into own_key values ('acme', 1, 1), ('acme', 2, 2)");
    pipeline.source(
        "update own_key set id = 3 where id = 1; update own_key set id = 1 where id = 2;"
            + " update own_key set id = 2 where id = 3");
    pipeline.catchUp();
    pipeline.stop();
    for (String table : TABLES.keySet()) {
      pipeline.replica("truncate replica_" + table);
    }
    pipeline.replica("update tidemark_watermark set log_offset = -1, lsn = '0/0', generation = 0");
    pipeline.startAgain();

    assertSame(TABLES.keySet().toArray(String[]::new));
  }
}
