package dev.tidemark.topics.schema;

import dev.tidemark.topics.route.TableName;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Statements that bring the rights of Tidemark's roles to what is wanted, and no others. */
final class Grants {

  static final List<String> READ = List.of("SELECT");
  static final List<String> WRITE = List.of("SELECT", "INSERT", "UPDATE", "DELETE");

  /** Roles whose rights are granted; the owner has its rights by owning. */
  private static final List<Roles> GRANTEES =
      List.of(Roles.CAPTURE, Roles.PROJECTOR, Roles.GATEWAY);

  private Grants() {}

  /** Grants what is missing; rights that the table's owner gave beyond that stay. */
  static List<Statement> atLeast(
      TableName table, Set<Grant> existing, Map<Roles, List<String>> wanted) {
    List<Statement> statements = new ArrayList<>();
    for (Roles role : GRANTEES) {
      List<String> missing =
          wanted.getOrDefault(role, List.of()).stream()
              .filter(privilege -> !existing.contains(new Grant(role.roleName(), privilege)))
              .toList();
      if (!missing.isEmpty()) {
        statements.add(
            new Statement(
                "grant %s on %s to %s"
                    .formatted(words(missing.stream()), table.sql(), quoted(role)),
                "what the role needs, and no more"));
      }
    }
    return statements;
  }

  /** Grants what is missing, and takes back what is too much: TRUNCATE ignores policies. */
  static List<Statement> exactly(
      TableName table, Set<Grant> existing, Map<Roles, List<String>> wanted) {
    List<Statement> statements = new ArrayList<>(atLeast(table, existing, wanted));
    for (Roles role : GRANTEES) {
      Stream<String> surplus =
          existing.stream()
              .filter(grant -> grant.role().equals(role.roleName()))
              .map(Grant::privilege)
              .filter(privilege -> !wanted.getOrDefault(role, List.of()).contains(privilege))
              .sorted();
      String words = words(surplus);
      if (!words.isEmpty()) {
        statements.add(
            new Statement(
                "revoke %s on %s from %s".formatted(words, table.sql(), quoted(role)),
                "a right that the role does not need"));
      }
    }
    return statements;
  }

  /** Grants the use of a schema to the roles that lack it. */
  static List<Statement> usage(String schema, Set<String> users, List<Roles> roles) {
    return roles.stream()
        .filter(role -> !users.contains(role.roleName()))
        .map(
            role ->
                new Statement(
                    "grant usage on schema %s to %s"
                        .formatted(Sql.identifier(schema), quoted(role)),
                    "to reach the tables in it"))
        .toList();
  }

  private static String words(Stream<String> privileges) {
    return privileges
        .map(privilege -> privilege.toLowerCase(java.util.Locale.ROOT))
        .collect(Collectors.joining(", "));
  }

  private static String quoted(Roles role) {
    return Sql.identifier(role.roleName());
  }
}
