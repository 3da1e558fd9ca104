package dev.tidemark.standalone;

import dev.tidemark.capture.Capture;
import dev.tidemark.capture.CaptureConfig;
import dev.tidemark.gateway.DatabaseConfig;
import dev.tidemark.gateway.Gateway;
import dev.tidemark.gateway.GatewayConfig;
import dev.tidemark.gateway.RoleControl;
import dev.tidemark.gateway.RoleReport;
import dev.tidemark.gateway.TokenKeys;
import dev.tidemark.projector.Completeness;
import dev.tidemark.projector.Projector;
import dev.tidemark.projector.ProjectorConfig;
import dev.tidemark.standalone.data.InstallationException;
import dev.tidemark.standalone.issuer.LocalIssuer;
import dev.tidemark.standalone.postgres.EmbeddedPostgres;
import dev.tidemark.topics.schema.Migration;
import dev.tidemark.topics.schema.PlanException;
import dev.tidemark.topics.schema.ResolvedRoute;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.function.BooleanSupplier;

/**
 * Tidemark's own services on running servers: capture, projector and gateway of one pipeline, in
 * this JVM.
 *
 * <p>Single-use: {@link #start} migrates both databases and starts all three, {@link #close} stops
 * them in the reverse order. Thread-safe.
 */
public final class Services implements AutoCloseable {

  private static final String CAPTURE_ROLE = "tidemark_capture";
  private static final String PROJECTOR_ROLE = "tidemark_projector";
  private static final String GATEWAY_ROLE = "tidemark_gateway";

  /** The embedded broker is one node. */
  private static final short REPLICATION_FACTOR = 1;

  /** The database roles that sign in with a password. */
  public static final SequencedSet<String> ROLES =
      new LinkedHashSet<>(
          List.of(EmbeddedPostgres.SUPERUSER, CAPTURE_ROLE, PROJECTOR_ROLE, GATEWAY_ROLE));

  private final ServicesConfig config;
  private final CloseStack running = new CloseStack();
  private final Capture capture;
  private final Projector projector;
  private final Gateway gateway;

  private Services(ServicesConfig config) throws SQLException {
    this.config = config;
    boolean replicaLacksRows = migrate();
    setPasswords();
    this.capture = running.push(startCapture(replicaLacksRows));
    this.projector = running.push(startProjector());
    this.gateway = running.push(startGateway());
  }

  /**
   * Migrates and starts. Capture and projector come up in the background; the gateway answers when
   * this returns.
   *
   * @throws InstallationException when the routes do not fit the databases
   */
  public static Services start(ServicesConfig config) throws SQLException {
    return new Services(config);
  }

  /** The reader of the slot. */
  public Capture capture() {
    return capture;
  }

  /** The writer of the replica and of the table topics. */
  public Projector projector() {
    return projector;
  }

  /** The gateway's base URL, without a slash at its end. */
  public String gatewayUrl() {
    return "http://127.0.0.1:" + gateway.port();
  }

  /**
   * Brings roles, tables and policies of both databases to what the route file says.
   *
   * @return whether the replica has lost rows by it, or before
   */
  private boolean migrate() throws SQLException {
    try (Connection source = config.source().connect();
        Connection replica = config.replica().connect()) {
      List<ResolvedRoute> resolved = Migration.source(source, config.routes());
      Migration.replica(replica, config.routes(), resolved);
      return Completeness.lacksRows(replica, config.routes());
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
    for (EmbeddedDatabase database : List.of(config.source(), config.replica())) {
      for (String role : ROLES) {
        database.cluster().setPassword(role, config.secrets().password(role));
      }
    }
  }

  private Capture startCapture(boolean replicaLacksRows) {
    return Capture.start(
        new CaptureConfig(
            config.source().jdbcUrl(),
            CAPTURE_ROLE,
            config.secrets().password(CAPTURE_ROLE),
            config.kafkaBootstrap(),
            REPLICATION_FACTOR,
            config.routes(),
            config.instance(),
            replicaLacksRows));
  }

  private Projector startProjector() {
    return Projector.start(
        new ProjectorConfig(
            config.replica().jdbcUrl(),
            PROJECTOR_ROLE,
            config.secrets().password(PROJECTOR_ROLE),
            config.kafkaBootstrap(),
            REPLICATION_FACTOR,
            config.routes(),
            config.streamsFolder(),
            config.instance()));
  }

  private Gateway startGateway() {
    return Gateway.start(
        GatewayConfig.builder(
                config.routes(),
                gatewayDatabase(config.source()),
                gatewayDatabase(config.replica()),
                new TokenKeys.JwkSet(config.issuer().publicJwkSet().toString()))
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

  private DatabaseConfig gatewayDatabase(EmbeddedDatabase database) {
    return new DatabaseConfig(
        database.jdbcUrl(), GATEWAY_ROLE, config.secrets().password(GATEWAY_ROLE));
  }

  private static RoleReport.State state(Optional<String> problem) {
    return problem.map(RoleReport.State::failed).orElseGet(RoleReport.State::working);
  }

  private static RoleControl control(Runnable pause, Runnable resume, BooleanSupplier paused) {
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

  /**
   * Stops the gateway, the projector and capture; the first failure is thrown, with the others as
   * suppressed.
   */
  @Override
  public void close() throws Exception {
    running.close();
  }
}
