package dev.tidemark.tests.schema;

import static dev.tidemark.tests.schema.Databases.as;
import static dev.tidemark.tests.schema.Databases.rows;
import static dev.tidemark.tests.schema.Databases.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.topics.route.RouteFile;
import dev.tidemark.topics.route.RouteFileParser;
import dev.tidemark.topics.schema.Migration;
import dev.tidemark.topics.schema.Plan;
import dev.tidemark.topics.schema.PlanException;
import dev.tidemark.topics.schema.RoutePlans;
import java.sql.SQLException;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Migrations against a real cluster, which a subclass names. */
abstract class MigrationContract {

  private static final String HEAD =
      """
      pipeline: care
      slot: care_slot
      publication: care_pub
      partitions: 2
      routes:
        - doctype: Waybill
          target: replica_waybill
          columns:
            - { name: status, from: status }
            - { name: scans, from: scan_log, transform: length }
      """;

  private static final String HUB =
      """
        - table: hub
          tenant: tenant
          target: replica_hub
          columns:
            - { name: city, from: address.city }
            - { name: size, from: size }
      """;

  private static final String HUB_TABLE =
      "create table hub(id bigint primary key, tenant text not null, size int, address jsonb)";

  private static final String INSERT_HUB =
      "insert into replica_hub (tenant_id, id, city, size, source_lsn, updated_at, tidemark_generation)"
          + " values ('%s', %d, 'c', 1, '0/1', now(), 1)";

  private Databases databases;

  /** A JDBC URL of a database of the cluster, with a superuser. */
  abstract String superuserUrl(String database);

  @BeforeEach
  void create() throws SQLException {
    databases = new Databases(this::superuserUrl);
  }

  @AfterEach
  void drop() throws SQLException {
    databases.close();
  }

  private static RouteFile file(String yaml) {
    return RouteFileParser.parse("routes.yaml", yaml);
  }

  private void migrate(String yaml) throws SQLException {
    RouteFile file = file(yaml);
    Migration.replica(databases.replica, file, Migration.source(databases.source, file));
  }

  private void migrateHub() throws SQLException {
    run(databases.source, HUB_TABLE);
    migrate(HEAD + HUB);
  }

  @Test
  void repeatingChangesNothing() throws SQLException {
    migrateHub();

    assertThat(
            RoutePlans.online(file(HEAD + HUB), databases.source, Optional.of(databases.replica)))
        .extracting(Plan::statements)
        .allSatisfy(statements -> assertThat(statements).isEmpty());
  }

  @Test
  void printedPlansRunAsTheyArePrinted() throws SQLException {
    run(databases.source, HUB_TABLE);
    for (Plan plan :
        RoutePlans.online(file(HEAD + HUB), databases.source, Optional.of(databases.replica))) {
      run(plan.database().equals("source") ? databases.source : databases.replica, plan.print());
    }

    assertThat(
            RoutePlans.online(file(HEAD + HUB), databases.source, Optional.of(databases.replica)))
        .allSatisfy(plan -> assertThat(plan.statements()).isEmpty());
  }

  @Test
  void aFileOfDocumentRoutesIsPlannedWithoutAnyDatabase() throws SQLException {
    for (Plan plan : RoutePlans.offline(file(HEAD))) {
      run(plan.database().equals("source") ? databases.source : databases.replica, plan.print());
    }

    assertThat(RoutePlans.online(file(HEAD), databases.source, Optional.of(databases.replica)))
        .allSatisfy(plan -> assertThat(plan.statements()).isEmpty());
  }

  @Test
  void documentsAreTheTenantsOwn() throws SQLException {
    migrate(HEAD);
    run(
        databases.source,
        "insert into tidemark_doc select t, 'Waybill', 'n', '{}', 1, now(), now()"
            + " from unnest(array['acme', 'globex']) t");
    String all = "select tenant_id from tidemark_doc order by 1";

    assertThat(as(databases.source, "tidemark_gateway", "", all)).isEmpty();
    assertThat(as(databases.source, "tidemark_gateway", "acme", all)).containsExactly("acme");
    assertThat(as(databases.source, "tidemark_capture", "", all)).containsExactly("acme", "globex");
    assertThatThrownBy(
            () ->
                as(
                    databases.source,
                    "tidemark_gateway",
                    "acme",
                    "insert into tidemark_doc values ('globex', 'W', 'x', '{}', 1, now(), now())"
                        + " returning 1"))
        .hasMessageContaining("row-level security");
    assertThatThrownBy(
            () ->
                as(
                    databases.source,
                    "tidemark_capture",
                    "",
                    "delete from tidemark_doc returning 1"))
        .hasMessageContaining("permission denied");
  }

  @Test
  @DisplayName("B35 an empty tenant setting denies")
  void anEmptyTenantSettingDenies() throws SQLException {
    migrateHub();
    run(databases.replica, INSERT_HUB.formatted("acme", 1), INSERT_HUB.formatted("", 2));

    for (String role : new String[] {"tidemark_gateway", "tidemark_projector"}) {
      run(databases.replica, "begin");
      run(databases.replica, "select set_config('tidemark.tenant', 'acme', true)", "commit");
      assertThat(as(databases.replica, role, "", "select id from replica_hub")).isEmpty();
      assertThat(as(databases.replica, role, "acme", "select id from replica_hub"))
          .containsExactly("1");
    }
  }

  @Test
  @DisplayName("B36 rights on replica tables are the least that the roles need")
  void rightsAreTheLeast() throws SQLException {
    migrateHub();
    run(databases.replica, INSERT_HUB.formatted("acme", 1));

    assertThat(
            as(
                databases.replica,
                "tidemark_projector",
                "acme",
                "update replica_hub set city = 'd' returning city"))
        .containsExactly("d");
    assertThatThrownBy(
            () ->
                as(
                    databases.replica,
                    "tidemark_projector",
                    "globex",
                    INSERT_HUB.formatted("acme", 2) + " returning 1"))
        .hasMessageContaining("row-level security");
    for (String sql :
        new String[] {
          "update replica_hub set city = 'e' returning 1",
          "delete from tidemark_watermark returning 1",
          "select * from tidemark_tenant"
        }) {
      assertThatThrownBy(() -> as(databases.replica, "tidemark_gateway", "acme", sql))
          .hasMessageContaining("permission denied");
    }
    for (String role : new String[] {"tidemark_gateway", "tidemark_projector"}) {
      assertThatThrownBy(() -> as(databases.replica, role, "acme", "truncate replica_hub"))
          .hasMessageContaining("permission denied");
    }
    assertThat(
            rows(
                databases.replica,
                "select distinct tableowner from pg_tables where schemaname = 'public'"))
        .containsExactly("tidemark_owner");
    assertThat(
            rows(
                databases.replica,
                "select rolname, rolsuper, rolbypassrls, rolcanlogin, rolreplication from pg_roles"
                    + " where rolname like 'tidemark%' order by 1"))
        .containsExactly(
            "tidemark_capture|f|f|t|t",
            "tidemark_gateway|f|f|t|f",
            "tidemark_owner|f|f|f|f",
            "tidemark_projector|f|f|t|f");
  }

  @Test
  @DisplayName("B36 what was widened by hand is narrowed again")
  void driftIsRepaired() throws SQLException {
    migrateHub();
    run(
        databases.replica,
        "grant all on replica_hub to tidemark_gateway",
        "alter table replica_hub no force row level security",
        "alter policy tidemark_tenant on replica_hub using (true)",
        "create policy wide on replica_hub using (true)");

    migrate(HEAD + HUB);

    assertThat(
            rows(
                databases.replica,
                "select string_agg(privilege_type, ',') from information_schema.role_table_grants"
                    + " where table_name = 'replica_hub' and grantee = 'tidemark_gateway'"))
        .containsExactly("SELECT");
    assertThat(
            rows(
                databases.replica,
                "select policyname, qual from pg_policies where tablename = 'replica_hub'"))
        .containsExactly(
            "tidemark_tenant|(tenant_id = NULLIF(current_setting('tidemark.tenant'::text, true),"
                + " ''::text))");
    assertThat(
            rows(
                databases.replica,
                "select relforcerowsecurity from pg_class where relname = 'replica_hub'"))
        .containsExactly("t");
  }

  @Test
  @DisplayName("B05 a delete tells its tenant")
  void replicaIdentityCoversTenantAndKey() throws SQLException {
    run(
        databases.source,
        HUB_TABLE,
        "create table covered(tenant text, id int, primary key (tenant, id))",
        "create table shared(id int primary key)",
        "create table keyless(id int not null unique)",
        "create table split(tenant text not null, id int primary key) partition by range (id)",
        "create table split_1 partition of split for values from (0) to (9)");

    migrate(
        HEAD
            + HUB
            + """
              - { table: covered, tenant: tenant, target: r1, columns: [ { name: id, from: id } ] }
              - { table: shared, target: r2, columns: [ { name: id, from: id } ] }
              - { table: keyless, key: [id], target: r3, columns: [ { name: id, from: id } ] }
              - { table: split, tenant: tenant, target: r4, columns: [ { name: id, from: id } ] }
            """);

    assertThat(
            rows(
                databases.source,
                "select relname, relreplident from pg_class where relkind in ('r', 'p')"
                    + " and relnamespace = 'public'::regnamespace order by 1"))
        .containsExactly(
            "covered|d",
            "hub|f",
            "keyless|f",
            "shared|d",
            "split|d",
            "split_1|f",
            "tidemark_doc|d");
  }

  @Test
  void thePublicationHoldsExactlyTheCapturedTables() throws SQLException {
    run(
        databases.source,
        HUB_TABLE,
        "create table other(id int primary key)",
        "create publication care_pub for table other, hub where (size > 3) with (publish = 'insert')");

    migrate(HEAD + HUB);

    String tables =
        "select c.relname, r.prqual from pg_publication_rel r join pg_class c on c.oid = r.prrelid order by 1";
    assertThat(rows(databases.source, tables)).containsExactly("hub|null", "tidemark_doc|null");
    assertThat(
            rows(
                databases.source,
                "select pubinsert, pubupdate, pubdelete, pubtruncate, pubviaroot from pg_publication"))
        .containsExactly("t|t|t|t|t");

    migrate(HEAD);

    assertThat(rows(databases.source, tables)).containsExactly("tidemark_doc|null");
  }

  @Test
  void columnsFollowTheRouteAndRowsStay() throws SQLException {
    migrateHub();
    run(
        databases.replica,
        INSERT_HUB.formatted("acme", 1),
        "insert into tidemark_route values ('care', 'replica_hub', 0, 'f', 1)");

    migrate(
        HEAD
            + """
              - table: hub
                tenant: tenant
                target: replica_hub
                columns:
                  - { name: size, from: size, type: bigint }
                  - { name: zip, from: address.zip, type: integer }
            """);

    assertThat(
            rows(
                databases.replica,
                "select column_name, data_type from information_schema.columns"
                    + " where table_name = 'replica_hub' order by 1"))
        .containsExactly(
            "id|bigint",
            "size|bigint",
            "source_lsn|pg_lsn",
            "tenant_id|text",
            "tidemark_generation|integer",
            "updated_at|timestamp with time zone",
            "zip|integer");
    assertThat(rows(databases.replica, "select id, size, zip from replica_hub"))
        .containsExactly("1|null|null");
    assertThat(rows(databases.replica, "select * from tidemark_route")).isEmpty();
  }

  @Test
  void anotherKeyMakesTheTableAnew() throws SQLException {
    run(
        databases.source,
        HUB_TABLE,
        "alter table hub alter size set not null",
        "create unique index on hub (tenant, size)");
    migrate(HEAD + HUB);
    run(databases.replica, INSERT_HUB.formatted("acme", 1));

    migrate(HEAD + HUB.replace("tenant: tenant", "tenant: tenant\n    key: [size]"));

    assertThat(rows(databases.replica, "select * from replica_hub")).isEmpty();
    assertThat(
            rows(
                databases.replica,
                "select pg_get_constraintdef(oid) from pg_constraint"
                    + " where conrelid = 'replica_hub'::regclass and contype = 'p'"))
        .containsExactly("PRIMARY KEY (tenant_id, size)");
  }

  @Test
  void anEarlierTargetKeepsItsRowsAndLosesItsReaders() throws SQLException {
    migrateHub();
    run(
        databases.replica,
        INSERT_HUB.formatted("acme", 1),
        "insert into tidemark_route values ('care', 'replica_hub', 0, 'f', 1)");

    migrate(HEAD);

    for (String role : new String[] {"tidemark_gateway", "tidemark_projector"}) {
      assertThatThrownBy(() -> as(databases.replica, role, "acme", "select * from replica_hub"))
          .hasMessageContaining("permission denied");
    }
    assertThat(rows(databases.replica, "select id from replica_hub")).containsExactly("1");
    assertThat(rows(databases.replica, "select * from tidemark_route")).isEmpty();

    migrate(HEAD + HUB);

    assertThat(as(databases.replica, "tidemark_gateway", "acme", "select id from replica_hub"))
        .containsExactly("1");
  }

  @Test
  void anotherNumberOfPartitionsIsRefused() throws SQLException {
    migrate(HEAD);

    assertThatThrownBy(() -> migrate(HEAD.replace("partitions: 2", "partitions: 3")))
        .isInstanceOf(PlanException.class)
        .hasMessageContaining("pipeline care has 2 partitions, and the route file says 3");
    assertThat(
            rows(
                databases.replica,
                "select pipeline, partition, generation, history, lsn, log_offset, epoch, events"
                    + " from tidemark_watermark order by 2"))
        .containsExactly("care|0|0||0/0|-1|0|0", "care|1|0||0/0|-1|0|0");
  }

  @Test
  void tablesOfOthersAreLeftAlone() throws SQLException {
    run(databases.replica, "create table replica_waybill(mine int)");

    assertThatThrownBy(() -> migrate(HEAD))
        .isInstanceOf(PlanException.class)
        .hasMessageContaining("which Tidemark did not make");

    run(databases.replica, "drop table replica_waybill");
    migrate(HEAD);
    assertThatThrownBy(() -> migrate(HEAD.replace("pipeline: care", "pipeline: other")))
        .hasMessageContaining("belongs to pipeline care");
  }

  @Test
  void rowSecurityOfARoutedTableLetsCaptureRead() throws SQLException {
    run(
        databases.source,
        HUB_TABLE,
        "insert into hub values (1, 'acme', 1, '{}')",
        "alter table hub enable row level security");

    migrate(HEAD + HUB);

    assertThat(as(databases.source, "tidemark_capture", "", "select id from hub"))
        .containsExactly("1");
    run(databases.source, "create policy hide on hub as restrictive using (false)");
    assertThatThrownBy(() -> migrate(HEAD + HUB))
        .hasMessageContaining("the restrictive policy hide");
  }

  @Test
  void aRoleThatNoPolicyBindsIsRefused() throws SQLException {
    run(databases.source, "create role tidemark_gateway login bypassrls");

    assertThatThrownBy(() -> migrate(HEAD))
        .isInstanceOf(PlanException.class)
        .hasMessageContaining("alter role tidemark_gateway nosuperuser nobypassrls");
    assertThat(rows(databases.source, "select 1 from pg_tables where tablename = 'tidemark_doc'"))
        .isEmpty();
  }

  @Test
  void aMigratorNeedsNoSuperuser() throws SQLException {
    run(
        databases.source,
        "create role migration_admin createrole",
        "alter database migration_source owner to migration_admin",
        "alter database migration_replica owner to migration_admin",
        "create role tidemark_capture login replication");
    run(databases.source, "set session authorization migration_admin", HUB_TABLE);
    run(databases.replica, "set session authorization migration_admin");

    migrate(HEAD + HUB);
    migrate(HEAD + HUB.replace("    - { name: size, from: size }\n", ""));

    assertThat(
            rows(
                databases.replica,
                "select distinct tableowner from pg_tables where schemaname = 'public'"))
        .containsExactly("tidemark_owner");
    run(databases.source, "reset session authorization");
    run(databases.replica, "reset session authorization");
  }

  @Test
  @DisplayName("B20 odd names are quoted everywhere")
  void oddNamesAreQuoted() throws SQLException {
    run(
        databases.source,
        "create schema \"my.schema\"",
        "create table \"my.schema\".\"pay \"\"ment\" (\"select\" int primary key, \"Te nant\" text not null)",
        "create table \"Orders\" (id int primary key, note text)",
        "create table orders (id int primary key)");

    migrate(
        HEAD
            + """
              - table: ["my.schema", 'pay "ment']
                tenant: Te nant
                target: select
                columns: [ { name: order, from: select } ]
              - table: Orders
                target: orders
                columns: [ { name: user, from: note } ]
            """);

    assertThat(
            rows(
                databases.source,
                "select schemaname, tablename from pg_publication_tables order by 1, 2"))
        .containsExactly("my.schema|pay \"ment", "public|Orders", "public|tidemark_doc");
    assertThat(
            rows(
                databases.replica,
                "select table_name, column_name from information_schema.columns"
                    + " where table_name in ('select', 'orders') and ordinal_position < 4 order by 1, ordinal_position"))
        .containsExactly(
            "orders|tenant_id",
            "orders|id",
            "orders|user",
            "select|tenant_id",
            "select|order",
            "select|source_lsn");
    assertThat(RoutePlans.online(file(HEAD), databases.source, Optional.of(databases.replica)))
        .hasSize(2);
  }

  @Test
  void typesOfTheSourceMapToTheClosedSet() throws SQLException {
    run(
        databases.source,
        "create type mood as enum ('up', 'down')",
        "create table types(id uuid primary key, a int2, b int4[], c varchar(9), d char(3)[], e mood, f mood[],"
            + " g numeric(10,2), h float4, i timestamp(3), j timestamptz[], k bytea, l date, m bool, n jsonb)");
    StringBuilder columns = new StringBuilder();
    for (char c = 'a'; c <= 'n'; c++) {
      columns.append("      - { name: %s, from: %s }\n".formatted(c, c));
    }

    migrate(HEAD + "  - table: types\n    target: r\n    columns:\n" + columns);

    assertThat(
            rows(
                databases.replica,
                "select format_type(atttypid, atttypmod) from pg_attribute where attrelid = 'r'::regclass"
                    + " and attnum > 0 order by attnum"))
        .containsExactly(
            "text",
            "uuid",
            "integer",
            "integer[]",
            "text",
            "text[]",
            "text",
            "text[]",
            "numeric",
            "double precision",
            "timestamp without time zone",
            "timestamp with time zone[]",
            "bytea",
            "date",
            "boolean",
            "jsonb",
            "pg_lsn",
            "timestamp with time zone",
            "integer");
  }

  @Test
  @DisplayName("B13 B16 what cannot be kept exactly is refused, all of it at once")
  void everyProblemOfTheRoutesIsReportedAtOnce() throws SQLException {
    run(
        databases.source,
        "create domain positive as int check (value > 0)",
        "create table gen(id int primary key, a int, twice int generated always as (a * 2) stored,"
            + " t timetz, i interval, p positive, j json, v int2vector, w jsonb[])",
        "create table keyless(id int)",
        "create view looks as select 1 as id");
    String columns = "columns: [ { name: x, from: id } ] }\n";

    assertThatThrownBy(
            () ->
                migrate(
                    HEAD
                        + """
                          - table: gen
                            target: r
                            columns:
                              - { name: twice, from: twice }
                              - { name: t, from: t }
                              - { name: i, from: i }
                              - { name: p, from: p }
                              - { name: j, from: j }
                              - { name: v, from: v }
                              - { name: w, from: w }
                              - { name: nothing, from: nothing }
                              - { name: path, from: a.b }
                              - { name: len, from: a, transform: length }
                              - { name: shape, from: a, type: "integer[]" }
                              - { name: tt, from: t, type: text }
                              - { name: jj, from: j, type: jsonb }
                        """
                        + "  - { table: keyless, target: q, "
                        + columns
                        + "  - { table: keyless, key: [id], target: s, "
                        + columns
                        + "  - { table: looks, key: [id], target: u, "
                        + columns
                        + "  - { table: nowhere, target: z, "
                        + columns))
        .isInstanceOfSatisfying(
            PlanException.class,
            e ->
                assertThat(e.problems())
                    .satisfiesExactly(
                        p -> assertThat(p).contains("`twice` of public.gen is generated"),
                        p -> assertThat(p).contains("`t` is of type time with time zone"),
                        p -> assertThat(p).contains("`i` is of type interval"),
                        p -> assertThat(p).contains("`p` is of type positive"),
                        p ->
                            assertThat(p).contains("`j` is of type json").contains("`type: jsonb`"),
                        p -> assertThat(p).contains("`v` is of type int2vector"),
                        p -> assertThat(p).contains("`w` is of type jsonb[]"),
                        p -> assertThat(p).contains("`nothing` does not exist in public.gen"),
                        p -> assertThat(p).contains("`a.b` leads into the column `a`"),
                        p -> assertThat(p).contains("`length` of the column `a`"),
                        p -> assertThat(p).contains("does not fit the declared type integer[]"),
                        p -> assertThat(p).contains("route q: public.keyless has no primary key"),
                        p ->
                            assertThat(p).contains("route s: the key column `id`").contains("null"),
                        p -> assertThat(p).contains("route s: no unique index"),
                        p -> assertThat(p).contains("route u: public.looks is a view"),
                        p -> assertThat(p).contains("route u: the key column `id`"),
                        p -> assertThat(p).contains("route u: no unique index"),
                        p ->
                            assertThat(p)
                                .contains("route z: table public.nowhere does not exist")));
  }

  @Test
  void aTableThatOnlyLooksLikeTheDocumentTableIsRefused() throws SQLException {
    run(databases.source, "create table tidemark_doc(tenant_id text primary key, data json)");

    assertThatThrownBy(() -> migrate(HEAD))
        .hasMessageContaining("needs a column data of type jsonb, but has json")
        .hasMessageContaining("needs a column doctype of type text, but has none of that name")
        .hasMessageContaining(
            "needs the primary key (tenant_id, doctype, name), but has (tenant_id)");
  }
}
