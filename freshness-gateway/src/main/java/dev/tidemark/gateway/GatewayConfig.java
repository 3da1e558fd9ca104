package dev.tidemark.gateway;

import dev.tidemark.topics.route.RouteFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Everything a gateway needs to know. Made by {@link #builder}; checked as a whole, all problems in
 * one message.
 *
 * @param host the address to listen on; the default is loopback
 * @param port 1 to 65535, or 0 for any free port
 * @param routes the routes, the same file that capture and projector use
 * @param source the source database, role tidemark_gateway
 * @param replica the replica database, role tidemark_gateway
 * @param tokenKeys where tokens' keys come from
 * @param audience what {@code aud} must contain; empty: {@code aud} is not looked at
 * @param allowedOrigins origins of browsers that may call, such as {@code https://care.example};
 *     empty: none but the gateway's own
 * @param pausable the roles of this process that {@code /api/ops/paused} can pause, by name
 * @param reports what the health page asks, beside the databases and the watermarks
 * @param maxDocumentBytes the largest request body, 1 KiB to 256 MiB
 * @param maxWaitingReads how many reads may wait for a watermark at once, 0 to {@link
 *     #MOST_WAITING_READS}; any more are answered that they are pending
 * @param requestsPerSecond how many requests one caller, a subject of a tenant, may send, 1 to a
 *     million; empty: as many as it likes
 * @param opsPort 1 to 65535, or 0 for any free port: where health and metrics are served, and
 *     nowhere else then; empty: on {@code port}
 */
public record GatewayConfig(
    String host,
    int port,
    RouteFile routes,
    DatabaseConfig source,
    DatabaseConfig replica,
    TokenKeys tokenKeys,
    Optional<String> audience,
    List<String> allowedOrigins,
    Map<String, RoleControl> pausable,
    List<RoleReport> reports,
    int maxDocumentBytes,
    int maxWaitingReads,
    OptionalInt requestsPerSecond,
    OptionalInt opsPort) {

  /** Each waiting read keeps its connection, and others need some, too. */
  public static final int MOST_WAITING_READS = 15_000;

  /** The highest limit of requests that can be set. */
  public static final int MOST_REQUESTS_PER_SECOND = 1_000_000;

  /** What a waiting read was seen to need of the heap, and some more. */
  private static final int BYTES_PER_WAITING_READ = 96 << 10;

  /** The largest request body when nothing else is said: 8 MiB. */
  public static final int DEFAULT_MAX_DOCUMENT_BYTES = 8 << 20;

  public GatewayConfig {
    allowedOrigins = List.copyOf(allowedOrigins);
    pausable = Map.copyOf(pausable);
    reports = List.copyOf(reports);
    List<String> problems = new ArrayList<>();
    if (host.isBlank()) {
      problems.add("host must not be empty; use 127.0.0.1 for loopback");
    }
    if (port < 0 || port > 65535) {
      problems.add("port must be 0 to 65535, but was " + port);
    }
    if (maxDocumentBytes < 1 << 10 || maxDocumentBytes > 256 << 20) {
      problems.add("maxDocumentBytes must be 1024 to 268435456, but was " + maxDocumentBytes);
    }
    if (maxWaitingReads < 0 || maxWaitingReads > MOST_WAITING_READS) {
      problems.add(
          "maxWaitingReads must be 0 to " + MOST_WAITING_READS + ", but was " + maxWaitingReads);
    }
    if (requestsPerSecond.isPresent()
        && (requestsPerSecond.getAsInt() < 1
            || requestsPerSecond.getAsInt() > MOST_REQUESTS_PER_SECOND)) {
      problems.add(
          "requestsPerSecond must be 1 to "
              + MOST_REQUESTS_PER_SECOND
              + ", but was "
              + requestsPerSecond.getAsInt());
    }
    if (opsPort.isPresent() && (opsPort.getAsInt() < 0 || opsPort.getAsInt() > 65535)) {
      problems.add("opsPort must be 0 to 65535, but was " + opsPort.getAsInt());
    }
    if (port > 0 && opsPort.equals(OptionalInt.of(port))) {
      problems.add("opsPort must be another port than port, but both were " + port);
    }
    for (String origin : allowedOrigins) {
      if (!origin.matches("https?://[^/\\s*]+")) {
        problems.add(
            "allowedOrigins: an origin is scheme, host and port without a path or a wildcard, such"
                + " as https://care.example, but was "
                + origin);
      }
    }
    if (!problems.isEmpty()) {
      throw new IllegalArgumentException("gateway settings: " + String.join("; ", problems));
    }
  }

  /** As many waiting reads as the heap of this process holds with ease. */
  public static int defaultMaxWaitingReads() {
    return (int)
        Math.min(MOST_WAITING_READS, Runtime.getRuntime().maxMemory() / BYTES_PER_WAITING_READ);
  }

  /** Begins a configuration with the parts that have no default. */
  public static Builder builder(
      RouteFile routes, DatabaseConfig source, DatabaseConfig replica, TokenKeys tokenKeys) {
    return new Builder(routes, source, replica, tokenKeys);
  }

  /** Collects settings; not thread-safe. */
  public static final class Builder {
    private final RouteFile routes;
    private final DatabaseConfig source;
    private final DatabaseConfig replica;
    private final TokenKeys tokenKeys;
    private String host = "127.0.0.1";
    private int port;
    private Optional<String> audience = Optional.empty();
    private List<String> allowedOrigins = List.of();
    private Map<String, RoleControl> pausable = Map.of();
    private List<RoleReport> reports = List.of();
    private int maxDocumentBytes = DEFAULT_MAX_DOCUMENT_BYTES;
    private int maxWaitingReads = defaultMaxWaitingReads();
    private OptionalInt requestsPerSecond = OptionalInt.empty();
    private OptionalInt opsPort = OptionalInt.empty();

    private Builder(
        RouteFile routes, DatabaseConfig source, DatabaseConfig replica, TokenKeys tokenKeys) {
      this.routes = routes;
      this.source = source;
      this.replica = replica;
      this.tokenKeys = tokenKeys;
    }

    /** See {@link GatewayConfig#host}. */
    public Builder host(String value) {
      host = value;
      return this;
    }

    /** See {@link GatewayConfig#port}. */
    public Builder port(int value) {
      port = value;
      return this;
    }

    /** See {@link GatewayConfig#audience}. */
    public Builder audience(String value) {
      audience = Optional.of(value);
      return this;
    }

    /** See {@link GatewayConfig#allowedOrigins}. */
    public Builder allowedOrigins(List<String> value) {
      allowedOrigins = value;
      return this;
    }

    /** See {@link GatewayConfig#pausable}. */
    public Builder pausable(Map<String, RoleControl> value) {
      pausable = value;
      return this;
    }

    /** See {@link GatewayConfig#reports}. */
    public Builder reports(List<RoleReport> value) {
      reports = value;
      return this;
    }

    /** See {@link GatewayConfig#maxDocumentBytes}. */
    public Builder maxDocumentBytes(int value) {
      maxDocumentBytes = value;
      return this;
    }

    /** See {@link GatewayConfig#maxWaitingReads}. */
    public Builder maxWaitingReads(int value) {
      maxWaitingReads = value;
      return this;
    }

    /** See {@link GatewayConfig#requestsPerSecond}. */
    public Builder requestsPerSecond(int value) {
      requestsPerSecond = OptionalInt.of(value);
      return this;
    }

    /** See {@link GatewayConfig#opsPort}. */
    public Builder opsPort(int value) {
      opsPort = OptionalInt.of(value);
      return this;
    }

    /**
     * The configuration.
     *
     * @throws IllegalArgumentException with every problem that was found
     */
    public GatewayConfig build() {
      return new GatewayConfig(
          host,
          port,
          routes,
          source,
          replica,
          tokenKeys,
          audience,
          allowedOrigins,
          pausable,
          reports,
          maxDocumentBytes,
          maxWaitingReads,
          requestsPerSecond,
          opsPort);
    }
  }
}
