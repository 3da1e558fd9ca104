package dev.tidemark.gateway.auth;

import dev.tidemark.gateway.problem.Problem;
import dev.tidemark.gateway.problem.ProblemKind;
import dev.tidemark.topics.route.Permission;
import dev.tidemark.topics.route.RouteFile;
import java.util.List;

/** Who may read and write what, from the permissions of the route file. Thread-safe. */
public final class Access {

  private final RouteFile routes;

  public Access(RouteFile routes) {
    this.routes = routes;
  }

  /** Refuses a caller who may not read the document type or table route. */
  public void requireRead(Caller caller, String permission) {
    routes
        .permission(permission)
        .map(Permission::read)
        .ifPresent(roles -> require(caller, roles, "Reading"));
  }

  /** Refuses a caller who may not write documents of the type. */
  public void requireWrite(Caller caller, String permission) {
    routes
        .permission(permission)
        .map(Permission::write)
        .ifPresent(roles -> require(caller, roles, "Writing"));
  }

  /** Refuses a caller who is no administrator. */
  public static void requireAdmin(Caller caller) {
    require(caller, List.of(Caller.ADMIN), "This");
  }

  private static void require(Caller caller, List<String> roles, String what) {
    if (roles.stream().noneMatch(caller.roles()::contains)) {
      throw Problem.of(
              ProblemKind.PERMISSION_DENIED,
              what
                  + " needs a role that the token does not have. Ask for a token with one of them.")
          .with("rolesThatMay", roles)
          .exception();
    }
  }
}
