package dev.tidemark.topics.schema;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** The database roles of Tidemark. None is superuser, and none has BYPASSRLS. */
public enum Roles {
  /** Owns the replica tables; nothing connects as this role. */
  OWNER("tidemark_owner", false, false),
  /** Reads the source's log and the captured tables. */
  CAPTURE("tidemark_capture", true, true),
  /** Writes replica rows and watermarks. */
  PROJECTOR("tidemark_projector", true, false),
  /** Reads replica rows; writes documents on the source. */
  GATEWAY("tidemark_gateway", true, false);

  private final String roleName;
  private final boolean login;
  private final boolean replication;

  Roles(String roleName, boolean login, boolean replication) {
    this.roleName = roleName;
    this.login = login;
    this.replication = replication;
  }

  /** The role's name in PostgreSQL. */
  public String roleName() {
    return roleName;
  }

  /** All role names. */
  public static List<String> names() {
    return Arrays.stream(values()).map(Roles::roleName).toList();
  }

  /**
   * Creates what is missing. A role is the cluster's, not the database's, so another migration may
   * create it in between: each statement looks again.
   *
   * @throws PlanException when a role exists that no policy would bind
   */
  static List<Statement> ensure(List<Roles> roles, Map<String, RoleInfo> existing) {
    List<String> unbound =
        roles.stream()
            .map(Roles::roleName)
            .filter(name -> existing.containsKey(name) && existing.get(name).unbound())
            .map(
                name ->
                    ("role %1$s is superuser or has BYPASSRLS, so row-level security does not bind it:"
                            + " alter role %1$s nosuperuser nobypassrls")
                        .formatted(name))
            .toList();
    if (!unbound.isEmpty()) {
      throw new PlanException(unbound);
    }
    List<Statement> statements = new ArrayList<>();
    for (Roles role : roles) {
      RoleInfo found = existing.get(role.roleName);
      if (found == null) {
        statements.add(role.create());
      } else if (role.replication && !found.replication() || role.login && !found.login()) {
        statements.add(
            new Statement(
                "alter role %s%s".formatted(Sql.identifier(role.roleName), role.attributes()),
                "the role exists, but lacks an attribute"));
      }
    }
    return statements;
  }

  private String attributes() {
    return (login ? " login" : " nologin") + (replication ? " replication" : "");
  }

  private Statement create() {
    return new Statement(
        """
        do $do$ begin
          if not exists (select from pg_roles where rolname = %s) then
            create role %s%s nosuperuser nobypassrls nocreatedb nocreaterole;
          end if;
        end $do$"""
            .formatted(Sql.literal(roleName), Sql.identifier(roleName), attributes()),
        login
            ? "its password or other means of authentication is yours to set"
            : "nobody connects as it");
  }
}
