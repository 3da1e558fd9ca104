package dev.tidemark.tests.bugs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tidemark.standalone.client.Answer;
import dev.tidemark.tests.harness.TestPipeline;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Changes of the source's tables that the replication stream does not tell. Each test takes a table
 * of its own, since what it does stops capture for a while.
 *
 * <ul>
 *   <li>B09: <a href="https://github.com/confluentinc/bottledwater-pg/issues/81">columns added with
 *       a default</a>
 *   <li>B11: <a href="https://github.com/estuary/connectors/issues/2279">a table swapped by
 *       rename</a>, <a href="https://github.com/electric-sql/electric/issues/3322">silent loss of
 *       the publication</a>
 * </ul>
 */
class SchemaChangeTest {

  private static final List<String> TABLES =
      List.of("swapped", "left_out", "cut", "changed", "renamed", "widened", "grown");

  private static TestPipeline pipeline;

  @BeforeAll
  static void start() throws Exception {
    StringBuilder routes = new StringBuilder("partitions: 2\nroutes:\n");
    StringBuilder sql = new StringBuilder();
    for (String table : TABLES) {
      routes.append(
          """
            - table: %1$s
              tenant: tenant
              target: replica_%1$s
              columns:
                - { name: v, from: v }
          """
              .formatted(table));
      sql.append(
          """
          create table %1$s(id int primary key, tenant text not null, v int, other int);
          insert into %1$s values (1, 'acme', 1, 1);
          """
              .formatted(table));
    }
    routes.append(
        """
          - table: parted
            tenant: tenant
            target: replica_parted
            columns:
              - { name: v, from: v }
        """);
    sql.append(
        """
        create table parted(id int, tenant text not null default 'acme', v int, primary key (id)) partition by range (id);
        create table parted_1 partition of parted for values from (0) to (10);
        create table parted_2 partition of parted for values from (10) to (20);
        insert into parted values (1, 'acme', 1), (11, 'acme', 1);
        """);
    pipeline = TestPipeline.start(routes.toString(), sql.toString());
    pipeline.catchUp();
  }

  @AfterAll
  static void stop() throws Exception {
    pipeline.close();
  }

  private static String generation() throws SQLException {
    return pipeline.replica("select max(generation) from tidemark_watermark").getFirst();
  }

  /** Capture as the health page shows it to people. */
  private static String health() throws Exception {
    return pipeline
        .caller("acme", "admin")
        .get("/actuator/health")
        .json()
        .path("components")
        .path("capture")
        .toString();
  }

  private static void assertDownBecause(String... words) {
    await()
        .atMost(TestPipeline.LIMIT)
        .untilAsserted(() -> assertThat(health()).contains("DOWN").contains(words));
  }

  private static void assertUp() {
    await()
        .atMost(TestPipeline.LIMIT)
        .untilAsserted(() -> assertThat(health()).contains("UP").doesNotContain("DOWN"));
  }

  private static void assertSame(String table) throws SQLException {
    pipeline.catchUp();
    assertThat(
            pipeline.replica("select (id, v)::text from replica_%s order by id".formatted(table)))
        .isEqualTo(pipeline.source("select (id, v)::text from %s order by id".formatted(table)));
  }

  private static void assertNotServed(String table, String position) throws Exception {
    Answer answer =
        pipeline
            .caller("acme")
            .get("/api/replica/replica_" + table, "X-Required-LSN", position, "Prefer", "wait=2");
    assertThat(answer.status()).isEqualTo(202);
  }

  @Test
  @DisplayName("B11 a table swapped by rename stops capture until the new one is published")
  void aTableSwappedByRename() throws Exception {
    String before = generation();
    pipeline.source(
        """
        begin; create table fresh(like swapped including all);
        insert into fresh values (2, 'acme', 2, 2), (3, 'acme', 3, 3);
        alter table swapped rename to swapped_old; alter table fresh rename to swapped; commit""");
    pipeline.source("insert into swapped values (4, 'acme', 4, 4)");
    String position = pipeline.position();
    // Other tables go on, and must not take the watermark beyond what is missing.
    pipeline.source("update grown set v = v + 1");

    assertNotServed("swapped", position);
    assertDownBecause("replica_swapped", "public.swapped", "publication");

    pipeline.source(
        "alter publication %s add table swapped; grant select on swapped to tidemark_capture; alter table swapped replica identity full"
            .formatted(pipeline.slot()));
    assertUp();
    assertSame("swapped");
    assertThat(pipeline.replica("select id from replica_swapped order by id"))
        .containsExactly("2", "3", "4");
    assertThat(Integer.parseInt(generation())).isGreaterThan(Integer.parseInt(before));
  }

  @Test
  @DisplayName("B11 a table that leaves the publication and comes back is read again")
  void aTableThatLeavesThePublication() throws Exception {
    pipeline.source("alter publication %s drop table left_out".formatted(pipeline.slot()));
    pipeline.source("insert into left_out values (2, 'acme', 2, 2)");
    String position = pipeline.position();

    assertNotServed("left_out", position);
    assertDownBecause("replica_left_out");
    pipeline.source("alter publication %s add table left_out".formatted(pipeline.slot()));

    assertSame("left_out");
  }

  @Test
  @DisplayName("B11 a table that is out of the publication for a moment only is read again")
  void aTableThatIsOutOfThePublicationForAMoment() throws Exception {
    pipeline.source("alter publication %s drop table left_out".formatted(pipeline.slot()));
    pipeline.source("insert into left_out values (3, 'acme', 3, 3)");
    pipeline.source("alter publication %s add table left_out".formatted(pipeline.slot()));

    assertSame("left_out");
  }

  @Test
  @DisplayName("B11 a table that is swapped while nothing runs is noticed at the start")
  void aTableThatIsSwappedWhileNothingRuns() throws Exception {
    pipeline.stop();
    pipeline.source(
        """
        alter table cut rename to cut_old; create table cut(like cut_old including all);
        insert into cut values (9, 'acme', 9, 9)""");
    pipeline.startAgain();

    assertSame("cut");
    assertThat(pipeline.replica("select id from replica_cut")).containsExactly("9");
  }

  @Test
  @DisplayName("B11 a dropped publication stops capture")
  void aDroppedPublication() throws Exception {
    String tables =
        String.join(
            ", ",
            pipeline.source(
                "select format('%%I.%%I', schemaname, tablename) from pg_publication_tables where pubname = '%s'"
                    .formatted(pipeline.slot())));
    pipeline.source("drop publication " + pipeline.slot());
    pipeline.source("insert into grown values (2, 'acme', 2, 2)");
    String position = pipeline.position();

    assertNotServed("grown", position);
    assertDownBecause("publication");
    pipeline.source(
        "create publication %s for table %s with (publish_via_partition_root = true)"
            .formatted(pipeline.slot(), tables));

    assertSame("grown");
  }

  @ParameterizedTest
  @DisplayName("B11 a routed column that is rewritten without a row event is read again")
  @CsvSource(
      delimiter = '|',
      value = {
        "alter table changed alter v type int using v + 100",
        "alter table changed add w int; update changed set w = -1; alter table changed drop v; alter table changed rename w to v",
      })
  void aRoutedColumnThatIsRewritten(String change) throws Exception {
    String before = generation();
    pipeline.source(change);
    pipeline.source(
        "insert into changed (id, tenant, v) select max(id) + 1, 'acme', 5 from changed");

    assertSame("changed");
    assertThat(Integer.parseInt(generation())).isGreaterThan(Integer.parseInt(before));
  }

  @Test
  @DisplayName("B11 a column of a wider type stops until the replica's column has it too")
  void aColumnOfAWiderType() throws Exception {
    pipeline.source("alter table widened alter v type double precision using v + 0.1");
    pipeline.source("insert into widened values (2, 'acme', 0.25, 2)");
    String position = pipeline.position();

    await()
        .atMost(TestPipeline.LIMIT)
        .untilAsserted(
            () ->
                assertThat(pipeline.replica("select stopped from tidemark_watermark"))
                    .anySatisfy(
                        stopped ->
                            assertThat(stopped)
                                .contains(
                                    "route replica_widened: the column v is integer, but"
                                        + " public.widened sends double precision now")));
    assertNotServed("widened", position);

    pipeline.stop();
    pipeline.startAgain();
    assertSame("widened");
  }

  @Test
  @DisplayName("B09 columns that no route reads come and go without a new generation")
  void columnsThatNoRouteReads() throws Exception {
    String before = generation();
    pipeline.source("alter table grown add c int not null default 7, drop other");
    pipeline.source("alter table grown alter c set default 8, alter v set default 3");
    pipeline.source("insert into grown (id, tenant, v) values (5, 'acme', 5)");
    // A default of v, and a rewrite before capture has looked, would be taken for a rewrite of v.
    pipeline.catchUp();
    pipeline.source("alter table grown rename c to d; alter table grown alter d type text");
    pipeline.source("insert into grown (id, tenant, v, d) values (6, 'acme', 6, 'x')");
    pipeline.source("truncate grown; insert into grown (id, tenant, v) values (7, 'acme', 7)");

    assertSame("grown");
    assertThat(generation()).isEqualTo(before);
  }

  @Test
  void aRoutedColumnThatIsRenamedStopsCaptureWithItsName() throws Exception {
    pipeline.source("alter table renamed rename v to w");
    pipeline.source("insert into renamed values (2, 'acme', 2, 2)");
    String position = pipeline.position();

    assertNotServed("renamed", position);
    assertDownBecause("replica_renamed", "`v`");
    assertThat(pipeline.replica("select count(*) from replica_renamed where v is null"))
        .containsExactly("0");
    pipeline.source("alter table renamed rename w to v");

    assertSame("renamed");
  }

  @Test
  void newPartitionsAreFollowed() throws Exception {
    String before = generation();
    pipeline.source(
        "create table parted_3 partition of parted for values from (20) to (30);"
            + " alter table parted_3 replica identity full");
    pipeline.source("insert into parted values (21, 'acme', 21); update parted set v = v + 1");
    pipeline.source("update parted set id = 12 where id = 1; delete from parted where id = 11");
    pipeline.source("insert into parted values (13, 'acme', 13)");

    assertSame("parted");
    assertThat(generation()).isEqualTo(before);
  }

  @ParameterizedTest
  @DisplayName("B11 B07 what happens to a partition behind the stream's back is noticed")
  @ValueSource(
      strings = {
        "truncate parted_2",
        "create table ready(like parted including all); insert into ready values (31, 'acme', 31);"
            + " alter table ready replica identity full;"
            + " alter table parted attach partition ready for values from (30) to (40)",
        "alter table parted detach partition parted_1",
        "truncate parted"
      })
  void partitionsBehindTheStreamsBack(String change) throws Exception {
    pipeline.source("insert into parted values (15, 'acme', 1) on conflict do nothing");
    pipeline.source(change);

    assertSame("parted");
  }
}
