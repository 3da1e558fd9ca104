package dev.tidemark.standalone.postgres;

import dev.tidemark.standalone.data.InstallationException;
import dev.tidemark.standalone.data.TemporaryFolder;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/**
 * The files of one cluster: PostgreSQL's data folder, the port that it had last, its log.
 *
 * @param root holds them all; absolute, without symbolic links
 */
record ClusterFolder(Path root) {

  private static final int LOG_LINES_IN_MESSAGES = 12;

  /** The file of our settings within the data folder, included by postgresql.conf. */
  private static final String SETTINGS = "tidemark.conf";

  Path data() {
    return root.resolve("data");
  }

  Path portFile() {
    return root.resolve("port");
  }

  Path log() {
    return root.resolve("postgres.log");
  }

  /** The data's major version; empty when no cluster has been created. */
  OptionalInt version() throws IOException {
    Path file = data().resolve("PG_VERSION");
    return Files.exists(file)
        ? OptionalInt.of(Integer.parseInt(Files.readString(file).strip()))
        : OptionalInt.empty();
  }

  void mustHaveVersion(int wanted) throws IOException {
    int found = version().orElseThrow();
    if (found != wanted) {
      throw new InstallationException(
          "the data in "
              + data()
              + " is of PostgreSQL "
              + found
              + ", not "
              + wanted
              + ": start it with --pg "
              + found
              + ", or name a new folder with --data");
    }
  }

  /** A folder for a cluster in the making; {@link #adopt} makes it the data folder. */
  Path newData() throws IOException {
    try (DirectoryStream<Path> unfinished = Files.newDirectoryStream(root, "new-*")) {
      for (Path folder : unfinished) {
        TemporaryFolder.deleteRecursively(folder);
      }
    }
    return Files.createTempDirectory(root, "new-");
  }

  /** Makes a finished cluster the data folder, in one step, so that there are no half ones. */
  void adopt(Path newData) throws IOException {
    Files.writeString(
        newData.resolve("postgresql.conf"),
        Files.readString(newData.resolve("postgresql.conf"))
            + "\ninclude_if_exists = '"
            + SETTINGS
            + "'\n");
    Files.move(newData, data(), StandardCopyOption.ATOMIC_MOVE);
  }

  /** Replaces the settings of the next start. */
  void writeSettings(Map<String, String> settings) throws IOException {
    Files.writeString(
        data().resolve(SETTINGS),
        settings.entrySet().stream()
            .map(e -> e.getKey() + " = '" + e.getValue().replace("'", "''") + "'\n")
            .collect(Collectors.joining("", "# written at every start\n", "")));
  }

  /** Begins a new log and keeps the one before. */
  void rotateLog() throws IOException {
    if (Files.exists(log())) {
      Files.move(log(), root.resolve("postgres.log.1"), StandardCopyOption.REPLACE_EXISTING);
    }
  }

  boolean logSays(String text) throws IOException {
    return Files.exists(log()) && Files.readString(log()).contains(text);
  }

  String logTail() throws IOException {
    if (!Files.exists(log())) {
      return "(no log)";
    }
    List<String> lines = Files.readAllLines(log());
    return String.join(
        "\n", lines.subList(Math.max(0, lines.size() - LOG_LINES_IN_MESSAGES), lines.size()));
  }
}
