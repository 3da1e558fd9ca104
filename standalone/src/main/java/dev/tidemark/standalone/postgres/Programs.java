package dev.tidemark.standalone.postgres;

import com.sun.security.auth.module.UnixSystem;
import dev.tidemark.standalone.data.InstallationException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Runs PostgreSQL's own programs, which refuse to run as root. Root calls them through {@code
 * unshare -U}: in a user namespace of its own, without mappings, a process is nobody to itself and
 * still owns root's files.
 */
final class Programs {

  private final Path bin;
  private final Path folder;
  private final List<String> prefix;

  private Programs(Path bin, Path folder, List<String> prefix) {
    this.bin = bin;
    this.folder = folder;
    this.prefix = prefix;
  }

  /**
   * @param bin where the programs are
   * @param folder their working folder
   */
  static Programs of(Path bin, Path folder) throws IOException {
    if (new UnixSystem().getUid() != 0) {
      return new Programs(bin, folder, List.of());
    }
    Programs programs = new Programs(bin, folder, List.of("unshare", "-U"));
    Result result = programs.probe();
    if (result.status() != 0) {
      throw new InstallationException(
          "PostgreSQL refuses to run as root, and the way around it is not open here: `unshare -U`"
              + " says \""
              + result.output().strip()
              + "\". Run ./tidemark as an ordinary user (for example: runuser -u NAME --"
              + " ./tidemark up), or permit user namespaces (sysctl user.max_user_namespaces and"
              + " kernel.unprivileged_userns_clone; in a container, its seccomp profile)");
    }
    return programs;
  }

  /** Whether the prefix is permitted here. */
  private Result probe() {
    List<String> line = new ArrayList<>(prefix);
    line.add("true");
    try {
      return execute(line);
    } catch (IOException e) {
      return new Result(-1, String.valueOf(e.getMessage()));
    }
  }

  /** What a program printed, both streams as one, and its exit status. */
  record Result(int status, String output) {}

  /**
   * Runs a program to its end. Not interruptible: each of these programs has a time limit of its
   * own, and one left alone would go on changing the cluster.
   *
   * @param command the program's name and its arguments
   */
  Result run(List<String> command) throws IOException {
    List<String> line = new ArrayList<>(prefix);
    line.add(bin.resolve(command.getFirst()).toString());
    line.addAll(command.subList(1, command.size()));
    return execute(line);
  }

  private Result execute(List<String> line) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(line).directory(folder.toFile()).redirectErrorStream(true);
    // PGDATA, PGPORT, PGOPTIONS of the caller are about another server; messages are read below.
    builder
        .environment()
        .keySet()
        .removeIf(name -> name.startsWith("PG") || name.startsWith("LC_") || name.equals("LANG"));
    builder.environment().put("LC_ALL", "C");
    Process process = builder.start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Result(process.onExit().join().exitValue(), output);
  }

  /**
   * Runs a program that must succeed.
   *
   * @throws InstallationException with what it printed, when its exit status is not 0
   */
  void mustRun(List<String> command) throws IOException {
    Result result = run(command);
    if (result.status() != 0) {
      throw new InstallationException(
          String.format(
              Locale.ROOT,
              "%s in %s ended with exit status %d: %s",
              command.getFirst(),
              folder,
              result.status(),
              result.output().strip()));
    }
  }
}
