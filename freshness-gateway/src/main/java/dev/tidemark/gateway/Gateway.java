package dev.tidemark.gateway;

import dev.tidemark.gateway.web.GatewayParts;
import dev.tidemark.gateway.web.WebContext;
import java.util.OptionalInt;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running gateway. Several can run in one process; each keeps its own connections, metrics and
 * port. Thread-safe.
 */
public final class Gateway implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Gateway.class);

  private final GatewayParts parts;
  private final WebContext web;
  private final int port;

  private Gateway(GatewayParts parts, WebContext web) {
    this.parts = parts;
    this.web = web;
    this.port = web.port();
  }

  /**
   * Connects to both databases, checks that they keep tenants apart, and listens.
   *
   * @throws GatewayStartException when any of that fails
   * @throws IllegalArgumentException when the keys or the address in the configuration can't be
   *     used
   */
  public static Gateway start(GatewayConfig config) {
    GatewayParts parts = new GatewayParts(config);
    try {
      Gateway gateway = new Gateway(parts, new WebContext(parts));
      LOG.atInfo()
          .addKeyValue("pipeline", config.routes().pipeline())
          .addKeyValue("port", gateway.port())
          .log("the gateway accepts requests");
      return gateway;
    } catch (RuntimeException e) {
      try {
        parts.close();
      } catch (RuntimeException failure) {
        e.addSuppressed(failure);
      }
      throw cause(config, e);
    }
  }

  /** The port that it listens on; never 0. */
  public int port() {
    return port;
  }

  /** The port that health and metrics are served on; empty when they have none of their own. */
  public OptionalInt opsPort() {
    return parts.opsPort();
  }

  /** Lets running requests end, waiting ones with what they have, and stops. */
  @Override
  public void close() {
    parts.release();
    try {
      web.close();
    } finally {
      parts.close();
    }
  }

  /** The reason, without the layers that the web server's start puts around it. */
  private static RuntimeException cause(GatewayConfig config, RuntimeException failure) {
    Throwable root = failure;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root instanceof IllegalArgumentException known
        ? known
        : new GatewayStartException(
            "the gateway could not start on "
                + config.host()
                + ":"
                + config.port()
                + ": "
                + root.getMessage(),
            failure);
  }
}
