package dev.tidemark.topics.schema;

import dev.tidemark.topics.route.RouteFile;
import dev.tidemark.topics.route.TableName;
import dev.tidemark.topics.route.TableRoute;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What the source database needs for a route file: roles, the document table, rights, replica
 * identities and the publication. The slot is capture's to create, together with its snapshot.
 */
public final class SourcePlan {

  private static final String PUBLISH =
      "publish = 'insert, update, delete, truncate', publish_via_partition_root = true";

  private final RouteFile file;
  private final SourceCatalog catalog;
  private final List<Statement> statements = new ArrayList<>();

  private SourcePlan(RouteFile file, SourceCatalog catalog) {
    this.file = file;
    this.catalog = catalog;
  }

  /**
   * Plans what differs between the catalog and the routes; nothing when nothing does.
   *
   * @param routes the file's routes, resolved against the same catalog; empty for an {@link
   *     SourceCatalog#unknown unknown} one
   * @throws PlanException when a role or the publication stands in the way
   */
  public static Plan of(RouteFile file, List<ResolvedRoute> routes, SourceCatalog catalog) {
    SourcePlan plan = new SourcePlan(file, catalog);
    plan.statements.addAll(Roles.ensure(List.of(Roles.CAPTURE, Roles.GATEWAY), catalog.roles()));
    plan.documentTable();
    plan.rights();
    plan.replicaIdentities(routes);
    plan.publication();
    return new Plan("source", plan.statements);
  }

  private void documentTable() {
    TableName table = file.documents();
    Optional<TableInfo> existing = catalog.table(table);
    if (existing.isEmpty()) {
      boolean schemaThere = catalog.schemaUsers().containsKey(table.schema());
      if (!schemaThere && !table.schema().equals("public")) {
        statements.add(
            new Statement(
                "create schema if not exists " + Sql.identifier(table.schema()),
                "the document table's schema"));
      }
      statements.add(DocumentTable.create(table));
    }
    statements.addAll(
        RowSecurity.ensure(
            table,
            existing,
            List.of(Policy.tenant(List.of(Roles.GATEWAY.roleName())), Policy.capture()),
            false));
    statements.addAll(
        Grants.exactly(
            table,
            existing.map(TableInfo::grants).orElse(Set.of()),
            Map.of(Roles.CAPTURE, Grants.READ, Roles.GATEWAY, Grants.WRITE)));
  }

  private void rights() {
    Map<String, List<Roles>> users = new LinkedHashMap<>();
    file.capturedTables().forEach(table -> users.put(table.schema(), List.of(Roles.CAPTURE)));
    users.put(file.documents().schema(), List.of(Roles.CAPTURE, Roles.GATEWAY));
    users.forEach(
        (schema, roles) ->
            statements.addAll(
                Grants.usage(schema, catalog.schemaUsers().getOrDefault(schema, Set.of()), roles)));
    for (TableName table : file.capturedTables()) {
      if (table.equals(file.documents())) {
        continue;
      }
      Optional<TableInfo> existing = catalog.table(table);
      statements.addAll(
          Grants.atLeast(
              table,
              existing.map(TableInfo::grants).orElse(Set.of()),
              Map.of(Roles.CAPTURE, Grants.READ)));
      if (existing.map(TableInfo::rowSecurity).orElse(false)) {
        statements.addAll(RowSecurity.policies(table, existing, List.of(Policy.capture())));
      }
    }
  }

  /** A delete carries the replica identity only: it must tell the tenant and the key. */
  private void replicaIdentities(List<ResolvedRoute> routes) {
    Map<TableName, Set<String>> needed = new LinkedHashMap<>();
    for (ResolvedRoute resolved : routes) {
      if (resolved.route() instanceof TableRoute route) {
        Set<String> columns = needed.computeIfAbsent(route.table(), table -> new HashSet<>());
        route.tenant().ifPresent(columns::add);
        resolved.key().forEach(column -> columns.add(column.from().head()));
      }
    }
    needed.forEach(
        (table, columns) ->
            catalog
                .table(table)
                .map(info -> info.notIdentifying(columns))
                .orElse(List.of())
                .forEach(lacking -> identity(lacking, columns)));
    if (!catalog.known()) {
      file.capturedTables().stream()
          .filter(table -> !table.equals(file.documents()))
          .forEach(
              table ->
                  statements.add(
                      fullIdentity(
                          table,
                          "only if its replica identity does not cover %s: a delete must tell them"
                              .formatted(
                                  file.tenantColumn(table)
                                      .map(tenant -> tenant + " and the key")
                                      .orElse("the key")))));
    }
  }

  private void identity(TableName table, Set<String> columns) {
    statements.add(
        fullIdentity(
            table,
            "a delete must tell %s, which the replica identity does not cover"
                .formatted(columns.stream().sorted().collect(Collectors.joining(", ")))));
  }

  private static Statement fullIdentity(TableName table, String reason) {
    return new Statement("alter table " + table.sql() + " replica identity full", reason);
  }

  private void publication() {
    String name = Sql.identifier(file.publication());
    String tables =
        file.capturedTables().stream().map(TableName::sql).collect(Collectors.joining(", "));
    if (catalog.publication().isEmpty()) {
      statements.add(
          new Statement(
              "create publication %s for table %s\n  with (%s)".formatted(name, tables, PUBLISH),
              "exactly the captured tables"));
      return;
    }
    PublicationInfo found = catalog.publication().get();
    if (found.allTables()) {
      throw new PlanException(
          List.of(
              ("the publication %s is for all tables and cannot be narrowed to the routed ones; drop"
                      + " it, or name another under `publication`")
                  .formatted(file.publication())));
    }
    if (found.narrowed() || !found.tables().equals(Set.copyOf(file.capturedTables()))) {
      statements.add(
          new Statement(
              "alter publication %s set table %s".formatted(name, tables),
              "exactly the captured tables, with all rows and columns"));
    }
    if (!found.complete()) {
      statements.add(
          new Statement(
              "alter publication %s set (%s)".formatted(name, PUBLISH),
              "every operation, and partitions as their root"));
    }
  }
}
