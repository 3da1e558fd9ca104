package dev.tidemark.standalone.postgres;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Reads who runs on a cluster's data folder, from PostgreSQL's own {@code postmaster.pid}: its
 * first line is the process, which may be long dead, or, after the number was given out again,
 * somebody else's.
 */
final class Postmaster {

  /**
   * No process has this number: it is above the highest that Linux (4194304) and macOS (99998) give
   * out.
   */
  private static final String NOBODY = "99999999";

  private final Path data;
  private final Path file;

  Postmaster(Path data) {
    this.data = data;
    this.file = data.resolve("postmaster.pid");
  }

  /** The process that the file names, dead or alive. */
  Optional<Long> recorded() throws IOException {
    try (Stream<String> lines = Files.lines(file)) {
      return lines
          .findFirst()
          .map(String::strip)
          .filter(line -> line.matches("[0-9]{1,10}"))
          .map(Long::valueOf);
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  /** The live process, when it really is a PostgreSQL server on this data folder. */
  Optional<ProcessHandle> running() throws IOException {
    return recorded()
        .flatMap(ProcessHandle::of)
        .filter(ProcessHandle::isAlive)
        .filter(this::servesThisFolder);
  }

  /**
   * Makes the file of a dead server harmless when its number now belongs to an unrelated process:
   * PostgreSQL would refuse to start because of that one. The file stays otherwise, since its other
   * lines name the shared memory, by which PostgreSQL sees backends that outlive their postmaster.
   */
  void disownUnrelatedProcess() throws IOException {
    if (recorded().flatMap(ProcessHandle::of).isEmpty() || running().isPresent()) {
      return;
    }
    List<String> lines = Files.readAllLines(file);
    Files.writeString(
        file,
        Stream.concat(Stream.of(NOBODY), lines.stream().skip(1))
            .collect(Collectors.joining("\n", "", "\n")));
  }

  private boolean servesThisFolder(ProcessHandle process) {
    Path proc = Path.of("/proc", Long.toString(process.pid()));
    try {
      if (Files.isDirectory(proc)) {
        // A server's working folder is its data folder.
        return isPostgres(Files.readSymbolicLink(proc.resolve("exe")).getFileName())
            && Files.isSameFile(proc.resolve("cwd"), data);
      }
    } catch (IOException e) {
      // It ended meanwhile, or belongs to another user, and so is not ours.
      return false;
    }
    return process.info().commandLine().filter(this::namesThisFolder).isPresent();
  }

  /** The program's file may have been replaced by a later build: "postgres (deleted)". */
  private static boolean isPostgres(Path program) {
    return program.toString().startsWith("postgres");
  }

  private boolean namesThisFolder(String commandLine) {
    return commandLine.contains("postgres") && commandLine.contains(data.toString());
  }
}
