package dev.tidemark.standalone;

import dev.tidemark.standalone.postgres.PostgresBinaries;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What an installation in one JVM is started with.
 *
 * @param port of HTTP on 127.0.0.1; 0 takes a free one
 * @param routes the route file; absent: the built-in example
 * @param postgres PostgreSQL's major version; absent: that of the data, or else {@link
 *     PostgresBinaries#DEFAULT_VERSION}
 * @param layout absent: that of the data, or else {@link Layout#TWO_CLUSTERS}
 */
public record StandaloneConfig(
    int port, Optional<Path> routes, OptionalInt postgres, Optional<Layout> layout) {

  /** The port of HTTP when nothing else is said. */
  public static final int DEFAULT_PORT = 8080;

  private static final int HIGHEST_PORT = 65_535;

  public StandaloneConfig {
    if (port < 0 || port > HIGHEST_PORT) {
      throw new IllegalArgumentException(
          "port " + port + " is not a port: 0 (any free one) to " + HIGHEST_PORT);
    }
    postgres.ifPresent(
        version -> {
          if (!PostgresBinaries.VERSIONS.contains(version)) {
            throw new IllegalArgumentException(
                "PostgreSQL " + version + " is not one of " + PostgresBinaries.VERSIONS);
          }
        });
  }

  /** Everything by default, HTTP on a free port. */
  public static StandaloneConfig onAnyPort() {
    return new StandaloneConfig(0, Optional.empty(), OptionalInt.empty(), Optional.empty());
  }
}
