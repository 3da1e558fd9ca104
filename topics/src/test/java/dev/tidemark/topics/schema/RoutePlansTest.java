package dev.tidemark.topics.schema;

import static dev.tidemark.topics.schema.Tables.column;
import static dev.tidemark.topics.schema.Tables.file;
import static dev.tidemark.topics.schema.Tables.table;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.topics.route.RouteFile;
import dev.tidemark.topics.route.TableName;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RoutePlansTest {

  private static final RouteFile FILE =
      file(
          """
            - doctype: Waybill
              target: replica_waybill
              columns:
                - { name: order_name, from: order }
                - { name: scans, from: scan_log, transform: length, type: integer }
            - table: public.hub
              tenant: tenant_id
              target: replica_hub
              key: [id]
              columns:
                - { name: id, from: id, type: bigint }
                - { name: city, from: address.city }
                - { name: size, from: size }
            - table: sales.bill
              target: replica_bill
              columns:
                - { name: total, from: total, type: numeric }
          """);

  @Test
  void theSourceIsPlannedWithoutADatabase() {
    assertThat(RoutePlans.offline(FILE).getFirst().print())
        .startsWith("-- source\nbegin;\n")
        .contains("create role \"tidemark_capture\" login replication nosuperuser nobypassrls")
        .contains("create role \"tidemark_gateway\" login nosuperuser nobypassrls")
        .contains(
            """
            create table "public"."tidemark_doc" (
              "tenant_id" text not null,
              "doctype" text not null,
              "name" text not null,
              "data" jsonb not null,
              "version" bigint not null,
              "created_at" timestamp with time zone not null,
              "updated_at" timestamp with time zone not null,
              primary key ("tenant_id", "doctype", "name")
            );
            """)
        .contains("alter table \"public\".\"tidemark_doc\" force row level security;")
        .contains("grant usage on schema \"sales\" to \"tidemark_capture\";")
        .contains("grant select on \"sales\".\"bill\" to \"tidemark_capture\";")
        .contains(
            """
            -- only if its replica identity does not cover tenant_id and the key: a delete must tell them
            alter table "public"."hub" replica identity full;
            """)
        .contains(
            """
            create publication "p" for table "public"."tidemark_doc", "public"."hub", "sales"."bill"
              with (publish = 'insert, update, delete, truncate', publish_via_partition_root = true);
            """)
        .endsWith("\ncommit;\n");
  }

  @Test
  void theReplicaIsPlannedWithMarksForWhatOnlyTheSourceKnows() {
    assertThat(RoutePlans.offline(FILE).getLast().print())
        .startsWith("-- replica\nbegin;\n")
        .contains(
            """
            create table "public"."replica_waybill" (
              "tenant_id" text not null,
              "name" text not null,
              "order_name" text,
              "scans" integer,
              "source_lsn" pg_lsn not null,
              "updated_at" timestamp with time zone not null,
              "tidemark_generation" integer not null,
              primary key ("tenant_id", "name")
            );
            """)
        .contains(
            """
              "tenant_id" text not null,
              "id" bigint not null,
              "city" text,
              "size" /* type of public.hub.size on the source */,
            """)
        .contains(
            """
              "tenant_id" text not null,
              /* the primary key of sales.bill on the source */ not null,
              "total" numeric,
            """)
        .contains("primary key (\"tenant_id\", /* the primary key of sales.bill on the source */)")
        .contains(
            """
            create policy "tidemark_tenant" on "public"."replica_hub" for all to public
              using ((tenant_id = NULLIF(current_setting('tidemark.tenant'::text, true), ''::text)))
              with check ((tenant_id = NULLIF(current_setting('tidemark.tenant'::text, true), ''::text)));
            """)
        .contains("from generate_series(0, 3) p")
        .doesNotContain("truncate");
  }

  @Test
  void namesCannotEndACommentEarly() {
    RouteFile file =
        file(
            "  - { table: \"a */ b\\n; drop table x\", target: r, columns: [ { name: c, from: c } ] }");

    List<Plan> plans = RoutePlans.offline(file);

    assertThat(plans.getLast().print()).contains("/* type of public.a * / b\n; drop table x.c");
    assertThat(plans.getFirst().statements())
        .extracting(Statement::reason)
        .allSatisfy(reason -> assertThat(reason).doesNotContain("\n"));
  }

  @Test
  void aPublicationForAllTablesIsRefused() {
    SourceCatalog catalog =
        new SourceCatalog(
            true,
            Map.of(),
            Map.of(),
            Map.of(),
            Optional.of(new PublicationInfo(true, false, true, Set.of())));

    assertThatThrownBy(() -> SourcePlan.of(FILE, List.of(), catalog))
        .isInstanceOf(PlanException.class)
        .hasMessageContaining("the publication p is for all tables");
  }

  @Test
  void severalRoutesOfOneTableNeedOneIdentity() {
    TableInfo hub =
        table(
            "hub",
            List.of("id"),
            column("id", "int8"),
            column("tenant", "text"),
            column("size", "int4"));
    RouteFile file =
        file(
            """
              - { table: hub, tenant: tenant, target: a, columns: [ { name: id, from: id } ] }
              - { table: hub, tenant: tenant, target: b, columns: [ { name: size, from: size } ] }
            """);
    SourceCatalog catalog = Tables.catalog(hub);

    assertThat(SourcePlan.of(file, RouteResolver.resolve(file, catalog), catalog).statements())
        .filteredOn(statement -> statement.sql().contains("replica identity"))
        .containsExactly(
            new Statement(
                "alter table \"public\".\"hub\" replica identity full",
                "a delete must tell id, tenant, which the replica identity does not cover"));
  }

  @Test
  void aDeferrablePrimaryKeyIdentifiesNothing() {
    TableInfo deferrable =
        new TableInfo(
            new TableName("public", "t"),
            1,
            'r',
            true,
            List.of(column("id", "int8")),
            List.of(new IndexInfo(List.of("id"), true, false, false)),
            ReplicaIdentity.DEFAULT,
            false,
            false,
            List.of(),
            Set.of(),
            Optional.empty(),
            List.of());

    assertThat(deferrable.notIdentifying(Set.of("id"))).containsExactly(deferrable.name());
  }

  @Test
  void nothingToDoIsSaid() {
    assertThat(new Plan("source", List.of()).print()).isEqualTo("-- source: nothing to do\n");
  }
}
