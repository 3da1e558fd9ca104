package dev.tidemark.standalone;

import dev.tidemark.standalone.data.Secrets;
import dev.tidemark.standalone.issuer.LocalIssuer;
import dev.tidemark.standalone.postgres.EmbeddedPostgres;
import java.sql.SQLException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;

/**
 * Tidemark's own services, started on the embedded servers. Each that is started goes onto the
 * stack, which stops it.
 *
 * @param config what was asked for
 * @param servers running
 * @param secrets the passwords of {@link #ROLES}
 * @param issuer whose tokens the gateway accepts
 * @param running takes what has been started
 */
record Services(
    StandaloneConfig config,
    EmbeddedServers servers,
    Secrets secrets,
    LocalIssuer issuer,
    CloseStack running) {

  /** The database roles that sign in with a password. */
  static final SequencedSet<String> ROLES =
      new LinkedHashSet<>(
          List.of(
              EmbeddedPostgres.SUPERUSER,
              "tidemark_capture",
              "tidemark_projector",
              "tidemark_gateway"));

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
      for (String role : ROLES) {
        cluster.setPassword(role, secrets.password(role));
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
