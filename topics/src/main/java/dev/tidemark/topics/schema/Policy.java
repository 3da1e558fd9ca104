package dev.tidemark.topics.schema;

import dev.tidemark.topics.route.TableName;
import java.util.List;
import java.util.Optional;

/**
 * A row-level security policy, in the form in which PostgreSQL prints its expressions, so that one
 * that was read compares equal to one that is wanted.
 *
 * @param name the policy
 * @param permissive whether it permits rows, rather than restricting what others permit
 * @param command {@code pg_policy.polcmd}: {@code *} for all, {@code r} for SELECT
 * @param roles the roles that it applies to, sorted; empty for all roles
 * @param using the condition on rows that are read
 * @param withCheck the condition on rows that are written
 */
public record Policy(
    String name,
    boolean permissive,
    char command,
    List<String> roles,
    Optional<String> using,
    Optional<String> withCheck) {

  /** For all commands. */
  static final char ALL = '*';

  /** For SELECT. */
  static final char SELECT = 'r';

  /**
   * True for rows of the tenant that the transaction has bound. After a transaction that bound one,
   * the setting is an empty text rather than absent: both mean no tenant, and so no row.
   */
  private static final String BOUND_TENANT =
      "(tenant_id = NULLIF(current_setting('tidemark.tenant'::text, true), ''::text))";

  public Policy {
    roles = List.copyOf(roles);
  }

  /** Confines the given roles, or all roles, to the rows of the bound tenant. */
  static Policy tenant(List<String> roles) {
    return new Policy(
        "tidemark_tenant", true, ALL, roles, Optional.of(BOUND_TENANT), Optional.of(BOUND_TENANT));
  }

  /** Lets capture read every row, for the snapshot. */
  static Policy capture() {
    return new Policy(
        "tidemark_capture",
        true,
        SELECT,
        List.of(Roles.CAPTURE.roleName()),
        Optional.of("true"),
        Optional.empty());
  }

  /** Whether the policy takes rows away from a reader with the role. */
  boolean restrictsReadsOf(String role) {
    return !permissive
        && (command == ALL || command == SELECT)
        && (roles.isEmpty() || roles.contains(role));
  }

  String createSql(TableName table) {
    return "create policy %s on %s for %s to %s%s%s"
        .formatted(
            Sql.identifier(name),
            table.sql(),
            command == SELECT ? "select" : "all",
            roles.isEmpty() ? "public" : Sql.identifiers(roles),
            using.map(condition -> "\n  using (" + condition + ")").orElse(""),
            withCheck.map(condition -> "\n  with check (" + condition + ")").orElse(""));
  }

  String dropSql(TableName table) {
    return "drop policy %s on %s".formatted(Sql.identifier(name), table.sql());
  }
}
