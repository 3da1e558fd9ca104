package dev.tidemark.standalone;

import dev.tidemark.standalone.data.Secrets;
import dev.tidemark.standalone.issuer.LocalIssuer;
import dev.tidemark.standalone.postgres.EmbeddedPostgres;
import dev.tidemark.topics.route.RouteFile;
import dev.tidemark.topics.schema.Roles;
import java.sql.SQLException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;

/**
 * Tidemark's own services, started on the embedded servers. Each that is started goes onto the
 * stack, which stops it.
 *
 * @param config what was asked for
 * @param routes the route file's content
 * @param servers running
 * @param secrets the passwords of {@link #rolesWithPassword}
 * @param issuer whose tokens the gateway accepts
 * @param running takes what has been started
 */
record Services(
    StandaloneConfig config,
    RouteFile routes,
    EmbeddedServers servers,
    Secrets secrets,
    LocalIssuer issuer,
    CloseStack running) {

  /** The roles that sign in; the others own things, and nobody connects as they. */
  private static final List<Roles> SIGNING_IN =
      List.of(Roles.CAPTURE, Roles.PROJECTOR, Roles.GATEWAY);

  /** The names of all roles that need a password, the superuser's among them. */
  static SequencedSet<String> rolesWithPassword() {
    SequencedSet<String> names = new LinkedHashSet<>();
    names.add(EmbeddedPostgres.SUPERUSER);
    SIGNING_IN.forEach(role -> names.add(role.roleName()));
    return names;
  }

  /**
   * Starts all of them in order.
   *
   * @return the gateway's base URL
   */
  String start() throws SQLException {
    migrate();
    setPasswords();
    startCapture();
    startProjector();
    return startGateway();
  }

  /** Brings roles, tables and policies of both databases to what the route file says. */
  private void migrate() {}

  /** The migration creates the roles; which passwords they have is this installation's affair. */
  private void setPasswords() throws SQLException {
    for (EmbeddedPostgres cluster : servers.clusters()) {
      for (Roles role : SIGNING_IN) {
        cluster.setPassword(role.roleName(), secrets.password(role.roleName()));
      }
    }
  }

  /** Source to log topic. */
  private void startCapture() {}

  /** Log topic to replica. */
  private void startProjector() {}

  /** HTTP. */
  private String startGateway() {
    return "http://127.0.0.1:" + config.port();
  }
}
