package dev.tidemark.standalone;

import dev.tidemark.capture.Capture;
import dev.tidemark.capture.CaptureConfig;
import dev.tidemark.gateway.DatabaseConfig;
import dev.tidemark.gateway.Gateway;
import dev.tidemark.gateway.GatewayConfig;
import dev.tidemark.gateway.RoleControl;
import dev.tidemark.gateway.RoleReport;
import dev.tidemark.gateway.TokenKeys;
import dev.tidemark.projector.Projector;
import dev.tidemark.projector.ProjectorConfig;
import dev.tidemark.standalone.data.InstallationException;
import dev.tidemark.standalone.data.Secrets;
import dev.tidemark.standalone.issuer.LocalIssuer;
import dev.tidemark.standalone.postgres.EmbeddedPostgres;
import dev.tidemark.topics.route.RouteFile;
import dev.tidemark.topics.schema.Migration;
import dev.tidemark.topics.schema.PlanException;
import dev.tidemark.topics.schema.ResolvedRoute;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedSet;

/**
 * Tidemark's own services, started on the embedded servers. Each that is started goes onto the
 * stack, which stops it.
 *
 * @param data the data folder
 * @param config what was asked for
 * @param routes what is captured and projected
 * @param servers running
 * @param secrets the passwords of {@link #ROLES}
 * @param issuer whose tokens the gateway accepts
 * @param running takes what has been started
 */
record Services(
    Path data,
    StandaloneConfig config,
    RouteFile routes,
    EmbeddedServers servers,
    Secrets secrets,
    LocalIssuer issuer,
    CloseStack running) {

  private static final String CAPTURE_ROLE = "tidemark_capture";
  private static final String PROJECTOR_ROLE = "tidemark_projector";
  private static final String GATEWAY_ROLE = "tidemark_gateway";

  /**
   * The one member of each consumer group, which comes back under the same name after a restart.
   */
  private static final String INSTANCE = "standalone";

  /** The broker is one node. */
  private static final short REPLICATION_FACTOR = 1;

  /** The database roles that sign in with a password. */
  static final SequencedSet<String> ROLES =
      new LinkedHashSet<>(
          List.of(EmbeddedPostgres.SUPERUSER, CAPTURE_ROLE, PROJECTOR_ROLE, GATEWAY_ROLE));

  /**
   * Starts all of them in order.
   *
   * @return the gateway's base URL
   * @throws InstallationException when the routes do not fit the databases
   */
  String start() throws SQLException {
    migrate();
    setPasswords();
    Capture capture = running.push(startCapture());
    Projector projector = running.push(startProjector());
    Gateway gateway = running.push(startGateway(capture, projector));
    return "http://127.0.0.1:" + gateway.port();
  }

  /** Brings roles, tables and policies of both databases to what the route file says. */
  private void migrate() throws SQLException {
    try (Connection source = servers.source().connect(EmbeddedServers.SOURCE);
        Connection replica = servers.replica().connect(EmbeddedServers.REPLICA)) {
      List<ResolvedRoute> resolved = Migration.source(source, routes);
      Migration.replica(replica, routes, resolved);
    } catch (PlanException e) {
      throw new InstallationException(
          "the routes do not fit the databases"
              + System.lineSeparator()
              + String.join(System.lineSeparator(), e.problems()),
          e);
    }
  }

  /** The migration creates the roles; which passwords they have is this installation's affair. */
  private void setPasswords() throws SQLException {
    for (EmbeddedPostgres cluster : servers.clusters()) {
      for (String role : ROLES) {
        cluster.setPassword(role, secrets.password(role));
      }
    }
  }

  /** Source to log topic. */
  private Capture startCapture() {
    return Capture.start(
        new CaptureConfig(
            servers.source().jdbcUrl(EmbeddedServers.SOURCE),
            CAPTURE_ROLE,
            secrets.password(CAPTURE_ROLE),
            servers.kafka().bootstrapServers(),
            REPLICATION_FACTOR,
            routes,
            INSTANCE));
  }

  /** Log topic to replica. */
  private Projector startProjector() {
    return Projector.start(
        new ProjectorConfig(
            servers.replica().jdbcUrl(EmbeddedServers.REPLICA),
            PROJECTOR_ROLE,
            secrets.password(PROJECTOR_ROLE),
            servers.kafka().bootstrapServers(),
            REPLICATION_FACTOR,
            routes,
            data.resolve("streams"),
            INSTANCE));
  }

  /** HTTP. */
  private Gateway startGateway(Capture capture, Projector projector) {
    return Gateway.start(
        GatewayConfig.builder(
                routes,
                gatewayDatabase(servers.source(), EmbeddedServers.SOURCE),
                gatewayDatabase(servers.replica(), EmbeddedServers.REPLICA),
                new TokenKeys.JwkSet(issuer.publicJwkSet().toString()))
            .port(config.port())
            .audience(LocalIssuer.AUDIENCE)
            .pausable(
                Map.of(
                    "capture", control(capture::pause, capture::resume, capture::paused),
                    "projector", control(projector::pause, projector::resume, projector::paused)))
            .reports(
                List.of(
                    new RoleReport("capture", () -> state(capture.problem())),
                    new RoleReport("projector", () -> state(projector.problem()))))
            .build());
  }

  private DatabaseConfig gatewayDatabase(EmbeddedPostgres cluster, String database) {
    return new DatabaseConfig(
        cluster.jdbcUrl(database), GATEWAY_ROLE, secrets.password(GATEWAY_ROLE));
  }

  private static RoleReport.State state(Optional<String> problem) {
    return problem.map(RoleReport.State::failed).orElseGet(RoleReport.State::working);
  }

  private static RoleControl control(
      Runnable pause, Runnable resume, java.util.function.BooleanSupplier paused) {
    return new RoleControl() {
      @Override
      public void pause() {
        pause.run();
      }

      @Override
      public void resume() {
        resume.run();
      }

      @Override
      public boolean paused() {
        return paused.getAsBoolean();
      }
    };
  }
}
