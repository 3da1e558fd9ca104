package dev.tidemark.standalone.role;

import dev.tidemark.capture.CaptureConfig;
import dev.tidemark.gateway.DatabaseConfig;
import dev.tidemark.gateway.GatewayConfig;
import dev.tidemark.projector.ProjectorConfig;
import dev.tidemark.standalone.data.InstallationException;
import dev.tidemark.topics.yaml.YamlException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * The configuration file that the roles share. Each method reads it for one role, and throws {@link
 * YamlException} with all problems of the file and of the route file that it names, or {@link
 * InstallationException} when it can't be read. {@code environment} is where {@code passwordEnv} is
 * looked up.
 */
public final class RoleFile {

  private RoleFile() {}

  /** What capture is started with. */
  public static CaptureConfig capture(Path file, Map<String, String> environment) {
    RoleSettings settings = read(file, environment, Role.CAPTURE);
    KafkaSettings kafka = needed(settings.kafka());
    Login source = needed(settings.source());
    return new CaptureConfig(
        source.jdbcUrl(),
        source.user(),
        source.password(),
        kafka.bootstrap(),
        kafka.replicationFactor(),
        settings.routes(),
        settings.instance(),
        false);
  }

  /** What the projector is started with. */
  public static ProjectorConfig projector(Path file, Map<String, String> environment) {
    RoleSettings settings = read(file, environment, Role.PROJECTOR);
    KafkaSettings kafka = needed(settings.kafka());
    Login replica = needed(settings.replica());
    return new ProjectorConfig(
        replica.jdbcUrl(),
        replica.user(),
        replica.password(),
        kafka.bootstrap(),
        kafka.replicationFactor(),
        settings.routes(),
        needed(settings.stateFolder()),
        settings.instance());
  }

  /** What the gateway is started with. */
  public static GatewayConfig gateway(Path file, Map<String, String> environment) {
    RoleSettings settings = read(file, environment, Role.GATEWAY);
    HttpSettings http = needed(settings.http());
    GatewayConfig.Builder builder =
        GatewayConfig.builder(
                settings.routes(),
                database(needed(settings.source()), http),
                database(needed(settings.replica()), http),
                http.tokenKeys())
            .host(http.host())
            .port(http.port())
            .allowedOrigins(http.allowedOrigins())
            .maxDocumentBytes(http.maxDocumentBytes())
            .maxWaitingReads(http.maxWaitingReads());
    http.audience().ifPresent(builder::audience);
    http.requestsPerSecond().ifPresent(builder::requestsPerSecond);
    http.opsPort().ifPresent(builder::opsPort);
    return builder.build();
  }

  private static DatabaseConfig database(Login login, HttpSettings http) {
    return new DatabaseConfig(login.jdbcUrl(), login.user(), login.password(), http.poolSize());
  }

  private static RoleSettings read(Path file, Map<String, String> environment, Role role) {
    return new RoleFileParser(file, environment, hostName(), role).parse();
  }

  private static <T> T needed(Optional<T> part) {
    return part.orElseThrow(
        () -> new IllegalStateException("a part that the role needs is read, or is a problem"));
  }

  private static String hostName() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      // The host's own name is not in its hosts file or DNS. The message names it, but not
      // reliably.
      return "localhost";
    }
  }
}
