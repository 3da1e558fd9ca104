package dev.tidemark.standalone;

import dev.tidemark.standalone.data.InstallationException;
import dev.tidemark.topics.route.RouteFile;
import dev.tidemark.topics.route.RouteFileException;
import dev.tidemark.topics.route.RouteFileParser;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/** Finds and reads route files. */
public final class RouteFiles {

  private static final String EXAMPLE = "/example-routes.yaml";

  private RouteFiles() {}

  /**
   * Reads a route file.
   *
   * @throws RouteFileException with all problems of the file
   * @throws InstallationException when it can't be read
   */
  public static RouteFile read(Path file) {
    try {
      return RouteFileParser.parse(file.toString(), Files.readString(file));
    } catch (IOException e) {
      throw new InstallationException("the route file " + file + " can't be read: " + e, e);
    }
  }

  /** The routes of an installation that is given no file. */
  public static RouteFile example() {
    try (InputStream stream =
        Objects.requireNonNull(RouteFiles.class.getResourceAsStream(EXAMPLE))) {
      return RouteFileParser.parse(
          EXAMPLE, new String(stream.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new IllegalStateException("resource " + EXAMPLE + " can't be read", e);
    }
  }
}
