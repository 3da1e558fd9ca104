package dev.tidemark.topics.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.topics.route.ColumnType.Scalar;
import dev.tidemark.topics.yaml.Problem;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class RouteFileParserTest {

  private static final ColumnType INTEGER = new ColumnType(Scalar.INTEGER, false);

  @Test
  void readsTheSeedsFileWordForWord() {
    RouteFile file =
        RouteFileParser.parse(
            "cdc-routes.yaml",
            """
            slot: astra_cdc
            publication: astra_cdc
            poll_ms: 50
            routes:
              - doctype: Waybill
                target: replica_waybill
                columns:
                  - { name: order_name,    from: order }
                  - { name: ops_status,    from: ops_status }
                  - { name: current_hub,   from: current_hub }
                  - { name: receiver_name, from: receiver_name }
                  - { name: scans,         from: scan_log, transform: length, type: integer }
              # …
            """);

    assertThat(file)
        .isEqualTo(
            new RouteFile(
                "astra_cdc",
                "astra_cdc",
                "astra_cdc",
                4,
                new TableName("public", "tidemark_doc"),
                Map.of(),
                Map.of(),
                List.of(
                    new DocumentRoute(
                        "Waybill",
                        "replica_waybill",
                        List.of(
                            text("order_name", "order"),
                            text("ops_status", "ops_status"),
                            text("current_hub", "current_hub"),
                            text("receiver_name", "receiver_name"),
                            new ColumnMapping(
                                "scans",
                                new SourcePath(List.of("scan_log")),
                                Transform.LENGTH,
                                Optional.of(INTEGER)))))));
  }

  @Test
  void aRouteSaysWhatHappensToChangesThatCannotBeWritten() {
    RouteFile file =
        RouteFileParser.parse(
            "routes.yaml",
            """
            slot: s
            publication: s
            routes:
              - { doctype: A, target: a, on_error: quarantine, columns: [{ name: x, from: x }] }
              - { doctype: B, target: b, on_error: stop, columns: [{ name: x, from: x }] }
              - { doctype: C, target: c, columns: [{ name: x, from: x }] }
            """);
    assertThat(file.policy("a")).isEqualTo(ErrorPolicy.QUARANTINE);
    assertThat(file.policy("b")).isEqualTo(ErrorPolicy.STOP);
    assertThat(file.policy("c")).isEqualTo(ErrorPolicy.STOP);
  }

  @Test
  void readsTheContractsFile() {
    RouteFile file =
        RouteFileParser.parse(
            "routes.yaml",
            """
            pipeline: care                # default: the slot's name
            slot: tidemark_care
            publication: tidemark_care
            partitions: 4
            documents:                    # the document table that `doctype:` routes read
              table: public.tidemark_doc  # columns tenant_id, doctype, name, data jsonb, ...
            permissions:
              Waybill: { read: [ops, care], write: [ops] }
            routes:
              - doctype: Waybill          # a document route: exactly the seed's form
                target: replica_waybill
                columns:
                  - { name: order_name, from: order }
                  - { name: ops_status, from: ops_status }
                  - { name: scans, from: scan_log, transform: length, type: integer }
              - table: public.hub         # a table route
                tenant: tenant_id         # column that holds the tenant; absent: one constant tenant
                target: replica_hub
                key: [id]                 # default: the primary key
                columns:
                  - { name: id, from: id, type: bigint }
                  - { name: city, from: address.city }     # a path into a json/jsonb column
            """);

    assertThat(file.pipeline()).isEqualTo("care");
    assertThat(file.permission("Waybill"))
        .contains(new Permission(List.of("ops", "care"), List.of("ops")));
    assertThat(file.route("replica_hub"))
        .contains(
            new TableRoute(
                new TableName("public", "hub"),
                Optional.of("tenant_id"),
                List.of("id"),
                "replica_hub",
                List.of(
                    new ColumnMapping(
                        "id",
                        new SourcePath(List.of("id")),
                        Transform.NONE,
                        Optional.of(new ColumnType(Scalar.BIGINT, false))),
                    new ColumnMapping(
                        "city",
                        new SourcePath(List.of("address", "city")),
                        Transform.NONE,
                        Optional.empty()))));
    assertThat(file.capturedTables())
        .containsExactly(new TableName("public", "tidemark_doc"), new TableName("public", "hub"));
  }

  @Test
  @DisplayName("B21 words that YAML would turn into booleans and numbers stay words")
  void scalarsStayTheTextThatWasWritten() {
    RouteFile file =
        RouteFileParser.parse(
            "f",
            """
            slot: 0123
            publication: on
            pipeline: 1e3
            permissions: { yes: { read: [no, 1.10, 0123, true], write: [] } }
            routes:
              - table: no
                tenant: y
                target: y
                key: [on, 1.10]
                columns:
                  - { name: no, from: on }
                  - { name: on, from: [1.10] }
                  - { name: y, from: 0123 }
              - { doctype: 1.10, target: off, columns: [ { name: yes, from: [no, 08, 0x10] } ] }
            """);

    assertThat(file.slot()).isEqualTo("0123");
    assertThat(file.publication()).isEqualTo("on");
    assertThat(file.pipeline()).isEqualTo("1e3");
    assertThat(file.permissions())
        .containsExactly(
            Map.entry("yes", new Permission(List.of("no", "1.10", "0123", "true"), List.of())));
    TableRoute table = (TableRoute) file.routes().getFirst();
    assertThat(table.table()).isEqualTo(new TableName("public", "no"));
    assertThat(table.tenant()).contains("y");
    assertThat(table.key()).containsExactly("on", "1.10");
    assertThat(table.columns()).extracting(ColumnMapping::name).containsExactly("no", "on", "y");
    assertThat(table.columns())
        .extracting(column -> column.from().segments())
        .containsExactly(List.of("on"), List.of("1.10"), List.of("0123"));
    DocumentRoute document = (DocumentRoute) file.routes().getLast();
    assertThat(document.doctype()).isEqualTo("1.10");
    assertThat(document.columns().getFirst().from().segments()).containsExactly("no", "08", "0x10");
  }

  @Test
  @DisplayName("B20 names of the source may be anything that PostgreSQL allows")
  void oddSourceNamesAreKept() {
    RouteFile file =
        RouteFileParser.parse(
            "f",
            """
            slot: s
            publication: p
            routes:
              - { table: "pay ment", target: a, columns: [ { name: x, from: "Select" } ] }
              - { table: sales.pay$ment, target: b, columns: [ { name: x, from: x } ] }
              - { table: sales.a.b, target: c, columns: [ { name: x, from: x } ] }
              - { table: ["my.schema", "a.b"], target: d, columns: [ { name: x, from: ["a.b", "c.d"] } ] }
              - { table: Orders, target: e, columns: [ { name: x, from: x, type: "text[]" } ] }
            """);

    assertThat(file.routes())
        .extracting(route -> ((TableRoute) route).table())
        .containsExactly(
            new TableName("public", "pay ment"),
            new TableName("sales", "pay$ment"),
            new TableName("sales", "a.b"),
            new TableName("my.schema", "a.b"),
            new TableName("public", "Orders"));
    assertThat(file.routes().get(3).columns().getFirst().from().segments())
        .containsExactly("a.b", "c.d");
    assertThat(file.routes().get(4).columns().getFirst().type())
        .contains(new ColumnType(Scalar.TEXT, true));
  }

  @Test
  void permissionsMayNameTypesWithoutRoute() {
    RouteFile file =
        RouteFileParser.parse(
            "f",
            """
            slot: s
            publication: p
            permissions: { Invoice: { write: [ops] } }
            routes:
              - { doctype: Waybill, target: a, columns: [ { name: x, from: x } ] }
              - { doctype: Waybill, target: b, columns: [ { name: y, from: y } ] }
            """);

    assertThat(file.permission("Invoice")).contains(new Permission(List.of(), List.of("ops")));
    assertThat(file.permission("Waybill")).isEmpty();
    assertThat(file.routes()).hasSize(2);
  }

  @Test
  void lengthIsAnIntegerUnlessDeclared() {
    RouteFile file =
        RouteFileParser.parse(
            "f",
            """
            slot: s
            publication: p
            routes:
              - table: t
                target: r
                columns:
                  - { name: a, from: a, transform: length }
                  - { name: b, from: b, transform: length, type: bigint }
                  - { name: c, from: c }
            """);

    assertThat(file.routes().getFirst().columns())
        .extracting(ColumnMapping::type)
        .containsExactly(
            Optional.of(INTEGER),
            Optional.of(new ColumnType(Scalar.BIGINT, false)),
            Optional.empty());
  }

  @Test
  void everyProblemIsReportedAtOnce() {
    assertThatThrownBy(
            () ->
                RouteFileParser.parse(
                    "routes.yaml",
                    """
                    slot: Big
                    publication:
                    routes:
                      - doctype: Waybill
                        target: replica_waybill
                        colums: []
                      - table: t
                        target: replica_waybill
                        columns:
                          - { name: a, from: a, type: int }
                    """))
        .isInstanceOfSatisfying(
            RouteFileException.class,
            e -> {
              assertThat(e.problems()).extracting(Problem::line).containsExactly(1, 2, 4, 6, 8, 10);
              assertThat(e).hasMessageContaining("routes.yaml:8: `replica_waybill` is the target");
            });
  }

  private static ColumnMapping text(String name, String from) {
    return new ColumnMapping(
        name, new SourcePath(List.of(from)), Transform.NONE, Optional.of(ColumnType.TEXT));
  }

  @Test
  void aRouteWithoutASourceIsReadToItsEndAllTheSame() {
    assertThatThrownBy(
            () ->
                RouteFileParser.parse(
                    "f.yaml",
                    """
                    slot: s
                    publication: p
                    routes:
                      - doctyp: A
                        target: Replica
                        columns:
                          - { name: a, from: a, type: int }
                    """))
        .hasMessageContaining("lacks its source")
        .hasMessageContaining("did you mean `doctype`?")
        .hasMessageContaining("`Replica` cannot be a target")
        .hasMessageContaining("f.yaml:7: ");
  }
}
