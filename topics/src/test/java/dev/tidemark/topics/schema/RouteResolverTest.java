package dev.tidemark.topics.schema;

import static dev.tidemark.topics.schema.Tables.column;
import static dev.tidemark.topics.schema.Tables.file;
import static dev.tidemark.topics.schema.Tables.table;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RouteResolverTest {

  private static final TableInfo HUB =
      table(
          "hub",
          List.of("tenant", "id"),
          column("id", "int4"),
          column("tenant", "text"),
          column("address", "jsonb"),
          column("tags", "_text"),
          column("updated_at", "timestamptz"),
          column("Odd Name", "int8"),
          column("price", "numeric"));

  private static ResolvedRoute resolve(TableInfo table, String route) {
    return RouteResolver.resolve(file(route), Tables.catalog(table)).getFirst();
  }

  private static List<String> columns(ResolvedRoute route) {
    return ReplicaTable.of(route).columns().stream().map(ReplicaColumn::definition).toList();
  }

  @Test
  void theKeyIsThePrimaryKeyWithoutTheTenant() {
    ResolvedRoute route =
        resolve(
            HUB,
            "  - { table: hub, tenant: tenant, target: r, columns: [ { name: city, from: address.city } ] }");

    assertThat(columns(route))
        .containsExactly(
            "\"tenant_id\" text not null",
            "\"id\" integer not null",
            "\"city\" text",
            "\"source_lsn\" pg_lsn not null",
            "\"updated_at\" timestamp with time zone not null",
            "\"tidemark_generation\" integer not null");
    assertThat(ReplicaTable.of(route).primaryKey()).containsExactly("tenant_id", "id");
  }

  @Test
  void aDeclaredKeyColumnHasTheDeclaredNameAndType() {
    ResolvedRoute route =
        resolve(
            HUB,
            """
              - table: hub
                tenant: tenant
                target: r
                columns:
                  - { name: tags, from: tags }
                  - { name: number, from: id, type: bigint }
                  - { name: size, from: tags, transform: length }
            """);

    assertThat(columns(route).subList(1, 4))
        .containsExactly("\"number\" bigint not null", "\"tags\" text[]", "\"size\" integer");
    assertThat(route.key()).extracting(ResolvedColumn::name).containsExactly("number");
  }

  @Test
  void withoutTenantColumnTheWholePrimaryKeyIsTheKey() {
    ResolvedRoute route =
        resolve(HUB, "  - { table: hub, target: r, columns: [ { name: a, from: id } ] }");

    assertThat(route.key()).extracting(ResolvedColumn::name).containsExactly("tenant", "a");
  }

  @Test
  void aDocumentRouteNeedsNoTable() {
    ResolvedRoute route =
        resolve(HUB, "  - { doctype: D, target: r, columns: [ { name: a, from: b.c } ] }");

    assertThat(columns(route).subList(1, 3))
        .containsExactly("\"name\" text not null", "\"a\" text");
  }

  @ParameterizedTest
  @CsvSource({
    "integer, true",
    "bigint, true",
    "numeric, true",
    "text, true",
    "double, false",
    "boolean, false"
  })
  void aKeyKeepsItsValuesApart(String declared, boolean allowed) {
    String route =
        "  - { table: hub, tenant: tenant, target: r, columns: [ { name: id, from: id, type: %s } ] }"
            .formatted(declared);

    if (allowed) {
      assertThat(resolve(HUB, route).key()).hasSize(1);
    } else {
      assertThatThrownBy(() -> resolve(HUB, route)).hasMessageContaining("two keys may become one");
    }
  }

  @Test
  void aKeyThatCannotKeepItsNameMustBeDeclared() {
    TableInfo odd =
        table("hub", List.of("Odd Name"), column("Odd Name", "int8"), column("x", "text"));
    String x = "{ name: x, from: x }";

    assertThatThrownBy(() -> resolve(odd, "  - { table: hub, target: r, columns: [ " + x + " ] }"))
        .hasMessageContaining("cannot keep its name")
        .hasMessageContaining("{ name: ..., from: [Odd Name] }");
    assertThat(
            resolve(
                    odd,
                    "  - { table: hub, target: r, columns: [ "
                        + x
                        + ", { name: odd, from: Odd Name } ] }")
                .key())
        .extracting(ResolvedColumn::name)
        .containsExactly("odd");
  }

  @Test
  void aKeyNameThatAnotherColumnTookIsRefused() {
    assertThatThrownBy(
            () ->
                resolve(
                    HUB,
                    "  - { table: hub, tenant: tenant, target: r, columns: [ { name: id, from: price } ] }"))
        .hasMessageContaining("the route has another column of that name");
  }

  @Test
  void aKeyOfTheTenantAloneIsRefused() {
    assertThatThrownBy(
            () ->
                resolve(
                    table("hub", List.of("tenant"), column("tenant", "text"), column("x", "text")),
                    "  - { table: hub, tenant: tenant, target: r, columns: [ { name: x, from: x } ] }"))
        .hasMessageContaining("the tenant column alone");
  }

  @Test
  void aMissingTenantColumnIsNamedOnce() {
    assertThatThrownBy(
            () ->
                resolve(
                    HUB,
                    "  - { table: hub, tenant: org, target: r, columns: [ { name: x, from: price } ] }"))
        .isInstanceOfSatisfying(
            PlanException.class,
            e ->
                assertThat(e.problems())
                    .singleElement()
                    .asString()
                    .startsWith("route r: the tenant column `org` does not exist in public.hub"));
  }
}
