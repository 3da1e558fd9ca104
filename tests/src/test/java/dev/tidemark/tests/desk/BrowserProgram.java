package dev.tidemark.tests.desk;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Finds a Chrome or Chromium on this machine. */
final class BrowserProgram {

  /** Names the browser's program; when it is set, a browser must be there. */
  static final String VARIABLE = "TIDEMARK_BROWSER";

  static final String HOW_TO_GET_ONE =
      "Debian: apt-get install chromium; elsewhere install Google Chrome or Chromium, or set "
          + VARIABLE
          + " to its program";

  private static final List<String> NAMES =
      List.of("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome");

  private static final List<Path> APPLICATIONS =
      List.of(
          Path.of("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"),
          Path.of("/Applications/Chromium.app/Contents/MacOS/Chromium"));

  private BrowserProgram() {}

  /** The browser of this process's environment; empty when there is none. */
  static Optional<Path> find() {
    return find(System.getenv());
  }

  /**
   * The browser of an environment; empty when there is none.
   *
   * @throws IllegalStateException when the variable names a program that is not there
   */
  static Optional<Path> find(Map<String, String> environment) {
    @Nullable String named = environment.get(VARIABLE);
    if (named != null && !named.isBlank()) {
      Path program = Path.of(named);
      if (!Files.isExecutable(program)) {
        throw new IllegalStateException(
            VARIABLE + " is " + program + ", which is no program: " + HOW_TO_GET_ONE);
      }
      return Optional.of(program);
    }
    Stream<Path> onPath =
        Stream.of(environment.getOrDefault("PATH", "").split(File.pathSeparator))
            .filter(folder -> !folder.isEmpty())
            .flatMap(folder -> NAMES.stream().map(Path.of(folder)::resolve));
    return Stream.concat(onPath, APPLICATIONS.stream()).filter(Files::isExecutable).findFirst();
  }
}
