package dev.tidemark.tests.road;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.tests.harness.TestPipeline;
import dev.tidemark.topics.Tenants;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Whatever SQL does to a routed table, the replica table holds the same rows afterwards. The table
 * begins with the default replica identity.
 */
class TableRouteTest {

  private static final int PARTITIONS = 4;

  private static final String ROUTES =
      """
      partitions: 4
      routes:
        - table: public.hub
          tenant: tenant
          target: replica_hub
          columns:
            - { name: id, from: id, type: bigint }
            - { name: label, from: label }
            - { name: city, from: address.city }
        - table: public.leg
          tenant: tenant
          target: replica_leg
          columns:
            - { name: km, from: km }
        - table: public.plan
          tenant: tenant
          key: [code]
          target: replica_plan
          columns:
            - { name: title, from: title }
        - table: public.country
          target: replica_country
          columns:
            - { name: title, from: title }
      """;

  private static final String HOME = "acme";
  private static final String NEAR = tenant(true);
  private static final String FAR = tenant(false);

  private static TestPipeline pipeline;

  /** A tenant whose changes travel in the same partition as those of {@link #HOME}, or not. */
  private static String tenant(boolean samePartition) {
    int home = Tenants.partition(HOME, PARTITIONS);
    return IntStream.range(0, 1000)
        .mapToObj(i -> "tenant-" + i)
        .filter(name -> (Tenants.partition(name, PARTITIONS) == home) == samePartition)
        .findFirst()
        .orElseThrow();
  }

  @BeforeAll
  static void start() throws Exception {
    pipeline =
        TestPipeline.start(
            ROUTES,
            "create table hub(id bigint primary key, tenant text not null, label text, address jsonb)",
            "create table leg(tenant text not null, a int, b text, km int, primary key (a, b))",
            "create table plan(id int primary key, tenant text not null, code text not null, title text,"
                + " unique (tenant, code))",
            "create table country(id int primary key, title text)");
    pipeline.catchUp();
  }

  @AfterAll
  static void stop() throws Exception {
    pipeline.close();
  }

  @BeforeEach
  void empty() throws SQLException {
    pipeline.source("delete from hub; delete from leg; delete from plan; delete from country");
  }

  /** The same on both sides, once the replica has caught up. */
  private static void assertSame() throws SQLException {
    pipeline.catchUp();
    same(
        "select (tenant, id, label, address ->> 'city')::text from hub order by 1",
        "select (tenant_id, id, label, city)::text from replica_hub order by 1");
    same(
        "select (tenant, a, b, km)::text from leg order by 1",
        "select (tenant_id, a, b, km)::text from replica_leg order by 1");
    same(
        "select (tenant, code, title)::text from plan order by 1",
        "select (tenant_id, code, title)::text from replica_plan order by 1");
    same(
        "select (id, title)::text from country order by 1",
        "select (id, title)::text from replica_country order by 1");
  }

  private static void same(String source, String replica) throws SQLException {
    assertThat(pipeline.replica(replica)).isEqualTo(pipeline.source(source));
  }

  private static List<String> hubsOf(String tenant) throws Exception {
    return pipeline
        .caller(tenant)
        .get("/api/replica/replica_hub")
        .json()
        .path("rows")
        .valueStream()
        .map(row -> row.path("id").asText())
        .toList();
  }

  private static void hub(int id, String tenant) throws SQLException {
    pipeline.source(
        "insert into hub values (%d, '%s', 'first', '{\"city\":\"Huế\"}')".formatted(id, tenant));
  }

  @Test
  void theMigrationMakesTheReplicaIdentityFullWhereDeletesWouldNotTellTheTenant()
      throws SQLException {
    assertThat(pipeline.source("select relreplident from pg_class where relname = 'hub'"))
        .containsExactly("f");
  }

  @Test
  void insertUpdateAndDeleteArrive() throws Exception {
    hub(1, HOME);
    hub(2, HOME);
    hub(3, FAR);
    assertSame();
    assertThat(hubsOf(HOME)).containsExactly("1", "2");

    pipeline.source("update hub set label = 'second', address = null where id = 1");
    assertSame();

    pipeline.source("delete from hub where id = 2");
    assertSame();
    assertThat(hubsOf(HOME)).containsExactly("1");
    assertThat(hubsOf(FAR)).containsExactly("3");
  }

  @Test
  void rowsWithACompositeKeyAreToldApart() throws SQLException {
    pipeline.source(
        "insert into leg values ('acme', 1, 'x', 10), ('acme', 1, 'y', 20), ('acme', 2, 'x', 30);"
            + "update leg set km = 21 where a = 1 and b = 'y'; delete from leg where a = 2");

    assertSame();
  }

  @Test
  void aDeclaredKeyIsUsedInsteadOfThePrimaryKey() throws SQLException {
    pipeline.source(
        "insert into plan values (1, 'acme', 'A', 'one'), (2, '%s', 'A', 'two')".formatted(FAR));
    pipeline.source(
        "update plan set title = 'uno' where id = 1; update plan set id = 7 where id = 2");
    assertSame();

    pipeline.source("delete from plan where id = 1");
    assertSame();
  }

  @Test
  void rowsWithoutATenantAreSharedByAll() throws Exception {
    pipeline.source("insert into country values (1, 'Việt Nam'); update country set title = 'VN'");
    assertSame();

    for (String tenant : List.of(HOME, FAR)) {
      assertThat(pipeline.caller(tenant).get("/api/replica/replica_country/1").body())
          .contains("VN");
    }
  }

  @Test
  void anUpdateOfTheKeyMovesTheRow() throws SQLException {
    hub(1, HOME);
    hub(2, HOME);

    pipeline.source("update hub set id = 100, label = 'moved' where id = 1");
    pipeline.source("insert into leg values ('acme', 1, 'x', 10); update leg set b = 'z'");

    assertSame();
  }

  @Test
  void aKeyThatIsFreedAndTakenInOneTransactionHoldsTheNewRow() throws SQLException {
    hub(1, HOME);
    hub(2, HOME);

    pipeline.source(
        "update hub set id = 3 where id = 1; update hub set id = 1 where id = 2;"
            + " delete from hub where id = 1; insert into hub values (1, '%s', 'third', null)"
                .formatted(FAR));

    assertSame();
  }

  @Test
  void aRowThatMovesBetweenTenantsOfOnePartitionIsTheNewTenantsAlone() throws Exception {
    hub(1, HOME);
    assertSame();

    pipeline.source("update hub set tenant = '%s'".formatted(NEAR));

    assertSame();
    assertThat(hubsOf(HOME)).isEmpty();
    assertThat(hubsOf(NEAR)).containsExactly("1");
  }

  @Test
  void aRowThatMovesBetweenTenantsOfTwoPartitionsIsTheNewTenantsAlone() throws Exception {
    hub(1, HOME);
    assertSame();

    pipeline.source("update hub set tenant = '%s', label = 'moved'".formatted(FAR));

    assertSame();
    assertThat(hubsOf(HOME)).isEmpty();
    assertThat(hubsOf(FAR)).containsExactly("1");
  }

  @Test
  void aRowThatMovesThereAndBackInOneTransactionStays() throws SQLException {
    hub(1, HOME);

    pipeline.source(
        "update hub set tenant = '%s'; update hub set tenant = '%s', label = 'back'"
            .formatted(FAR, HOME));

    assertSame();
  }

  @Test
  void aKeyCanChangeItsTenantByDeleteAndInsert() throws Exception {
    hub(1, HOME);

    pipeline.source(
        "delete from hub where id = 1; insert into hub values (1, '%s', 'other', null)"
            .formatted(FAR));

    assertSame();
    assertThat(hubsOf(HOME)).isEmpty();
  }

  @Test
  void rowsOfATruncatedTransactionAreGone() throws SQLException {
    pipeline.source(
        "insert into hub select i, 'acme', 'x', null from generate_series(1, 100) i; truncate hub");

    assertSame();
  }

  @Test
  void aTransactionBeyondTheSizeOfALogRecordArrivesWhole() throws SQLException {
    pipeline.source(
        "insert into hub select i, case when i % 2 = 0 then 'acme' else '"
            + FAR
            + "' end,"
            + " repeat('x', 500), null from generate_series(1, 10000) i;"
            + " update hub set label = 'y' where id % 5 = 0; delete from hub where id % 7 = 0");

    assertSame();
    assertThat(pipeline.replica("select count(distinct source_lsn) from replica_hub"))
        .containsExactly("1");
  }

  @Test
  void aKeyThatIsUniqueAtTheEndOfATransactionOnlyIsRefusedAtTheStart() {
    assertThatThrownBy(
            () ->
                TestPipeline.start(
                    """
                    routes:
                      - table: queue
                        target: replica_queue
                        columns:
                          - { name: v, from: v }
                    """,
                    "create table queue(id int primary key deferrable, v int)"))
        .hasMessageContaining("the key (id) of public.queue is unique at the end of a transaction");
  }
}
