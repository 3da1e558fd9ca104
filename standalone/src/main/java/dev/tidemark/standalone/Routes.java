package dev.tidemark.standalone;

import dev.tidemark.standalone.data.InstallationException;
import dev.tidemark.topics.route.Problem;
import dev.tidemark.topics.route.RouteFile;
import dev.tidemark.topics.route.RouteFileException;
import dev.tidemark.topics.route.RouteFileParser;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Collectors;

/** Reads route files for the command line. */
public final class Routes {

  private static final String EXAMPLE = "example-routes.yaml";

  private Routes() {}

  /**
   * The checked file; without one, the built-in example.
   *
   * @throws InstallationException when it cannot be read or has problems, with all of them
   */
  public static RouteFile load(Optional<Path> file) throws IOException {
    String name = file.map(Path::toString).orElse(EXAMPLE);
    String yaml = file.isPresent() ? read(file.get()) : example();
    try {
      return RouteFileParser.parse(name, yaml);
    } catch (RouteFileException e) {
      throw new InstallationException(
          e.problems().stream()
              .map(Problem::toString)
              .collect(
                  Collectors.joining(
                      System.lineSeparator(),
                      "the route file cannot be used" + System.lineSeparator(),
                      "")),
          e);
    }
  }

  /** The text of a route file. */
  public static String read(Path file) throws IOException {
    try {
      return Files.readString(file);
    } catch (NoSuchFileException e) {
      throw new InstallationException("there is no route file " + file.toAbsolutePath(), e);
    }
  }

  private static String example() throws IOException {
    try (InputStream in = Routes.class.getResourceAsStream(EXAMPLE)) {
      if (in == null) {
        throw new IllegalStateException("the built-in example " + EXAMPLE + " is not in the jar");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
