package dev.tidemark.standalone;

import dev.tidemark.standalone.data.DataFolder;
import dev.tidemark.standalone.data.Endpoints;
import dev.tidemark.standalone.data.InstallationException;
import dev.tidemark.standalone.data.Secrets;
import dev.tidemark.standalone.issuer.LocalIssuer;
import dev.tidemark.topics.route.RouteFile;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All of Tidemark in this JVM: the embedded servers, and the services on them.
 *
 * <p>Single-use: {@link #start} returns when everything is ready, {@link #close} stops it in the
 * reverse order. Neither can be interrupted: a half-started or half-stopped server would be left.
 */
public final class Standalone implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Standalone.class);

  /**
   * The one member of each consumer group, which comes back under the same name after a restart.
   */
  private static final String INSTANCE = "standalone";

  private final Endpoints endpoints;
  private final LocalIssuer issuer;
  private final EmbeddedServers servers;
  private final CloseStack running;

  private Standalone(
      Endpoints endpoints, LocalIssuer issuer, EmbeddedServers servers, CloseStack running) {
    this.endpoints = endpoints;
    this.issuer = issuer;
    this.servers = servers;
    this.running = running;
  }

  /**
   * Starts everything; {@code endpoints.json} stands in the folder from the moment that all is
   * ready until {@link #close}.
   *
   * @param folder locked; it is closed with this object, and also when the start fails
   * @throws InstallationException when the person who started it can mend the reason
   */
  public static Standalone start(DataFolder folder, StandaloneConfig config)
      throws IOException, SQLException, InterruptedException {
    CloseStack running = new CloseStack();
    running.push(folder);
    try {
      return start(folder.path(), config, running);
    } catch (IOException | SQLException | InterruptedException | RuntimeException e) {
      try {
        running.close();
      } catch (Exception suppressed) {
        e.addSuppressed(suppressed);
      }
      throw e;
    }
  }

  private static Standalone start(Path data, StandaloneConfig config, CloseStack running)
      throws IOException, SQLException, InterruptedException {
    Endpoints.delete(data);
    RouteFile routes = config.routes().map(RouteFiles::read).orElseGet(RouteFiles::example);
    Secrets secrets = Secrets.loadOrCreate(data, Services.ROLES);
    LocalIssuer issuer = LocalIssuer.loadOrCreate(data);
    EmbeddedServers servers = EmbeddedServers.start(data, config, secrets, running);
    Services services =
        running.push(
            Services.start(
                new ServicesConfig(
                    routes,
                    new EmbeddedDatabase(servers.source(), EmbeddedServers.SOURCE),
                    new EmbeddedDatabase(servers.replica(), EmbeddedServers.REPLICA),
                    servers.kafka().bootstrapServers(),
                    secrets,
                    issuer,
                    config.port(),
                    data.resolve("streams"),
                    INSTANCE)));
    Endpoints endpoints =
        new Endpoints(
            services.gatewayUrl(),
            servers.source().superuserJdbcUrl(EmbeddedServers.SOURCE),
            servers.replica().superuserJdbcUrl(EmbeddedServers.REPLICA),
            servers.kafka().bootstrapServers(),
            ProcessHandle.current().pid());
    running.push(() -> Endpoints.delete(data));
    endpoints.write(data);
    LOG.info("ready gateway={}", endpoints.gateway());
    return new Standalone(endpoints, issuer, servers, running);
  }

  /** Where it can be reached. */
  public Endpoints endpoints() {
    return endpoints;
  }

  /** Issues tokens that its gateway accepts. */
  public LocalIssuer issuer() {
    return issuer;
  }

  /** The servers that it runs on. */
  public EmbeddedServers servers() {
    return servers;
  }

  /** Stops everything; the first failure is thrown, with the others as suppressed. */
  @Override
  public void close() throws Exception {
    running.close();
    LOG.info("stopped");
  }
}
