package dev.tidemark.topics.schema;

import dev.tidemark.topics.route.TableName;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Statements that bring a table's row-level security to what is wanted, and no others. */
final class RowSecurity {

  private RowSecurity() {}

  /**
   * Enables and forces row-level security and sets the policies.
   *
   * @param existing the table as it is; empty when the plan creates it
   * @param alone whether policies that are not wanted go: any further permissive policy would show
   *     more rows
   */
  static List<Statement> ensure(
      TableName table, Optional<TableInfo> existing, List<Policy> wanted, boolean alone) {
    List<Statement> statements = new ArrayList<>();
    if (!existing.map(TableInfo::rowSecurity).orElse(false)) {
      statements.add(
          new Statement(
              "alter table " + table.sql() + " enable row level security",
              "nobody sees another tenant's row"));
    }
    if (!existing.map(TableInfo::rowSecurityForced).orElse(false)) {
      statements.add(
          new Statement(
              "alter table " + table.sql() + " force row level security",
              "the owner is bound by the policies too"));
    }
    statements.addAll(policies(table, existing, wanted));
    if (alone) {
      existing.map(TableInfo::policies).orElse(List.of()).stream()
          .filter(policy -> wanted.stream().noneMatch(w -> w.name().equals(policy.name())))
          .map(
              policy ->
                  new Statement(
                      policy.dropSql(table), "only the tenant's policy decides on replica rows"))
          .forEach(statements::add);
    }
    return statements;
  }

  /** Creates the policies that are missing, and replaces those that differ. */
  static List<Statement> policies(
      TableName table, Optional<TableInfo> existing, List<Policy> wanted) {
    List<Policy> found = existing.map(TableInfo::policies).orElse(List.of());
    List<Statement> statements = new ArrayList<>();
    for (Policy policy : wanted) {
      if (found.contains(policy)) {
        continue;
      }
      if (found.stream().anyMatch(other -> other.name().equals(policy.name()))) {
        statements.add(
            new Statement(policy.dropSql(table), "the policy differs from the wanted one"));
      }
      statements.add(
          new Statement(
              policy.createSql(table),
              policy.command() == Policy.SELECT
                  ? "capture reads the rows of all tenants"
                  : "rows of the bound tenant only; without one, no rows"));
    }
    return statements;
  }
}
