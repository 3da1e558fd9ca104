package dev.tidemark.tests.bench.system;

import dev.tidemark.standalone.postgres.PostgresBinaries;
import dev.tidemark.tests.bench.program.BrokerProgram;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** How Java programs of this class path are started as processes of their own. */
final class Children {

  /** What {@code ./tidemark up} gives its JVM; {@code ChildrenTest} compares it with the script. */
  static final List<String> UP_OPTIONS = List.of("-Xms1g", "-Xmx1g", "-XX:+UseG1GC");

  private static final List<String> BROKER_MEMORY = List.of("-Xmx512m", "-XX:+UseG1GC");

  /** What the script gives every JVM, beside its memory. */
  static final List<String> OPTIONS =
      List.of(
          "-Duser.timezone=UTC",
          "--enable-native-access=ALL-UNNAMED",
          "--sun-misc-unsafe-memory-access=allow");

  private Children() {}

  /** A process that is not started yet, whose output goes to a file. */
  static ProcessBuilder java(
      String classPath, List<String> options, String main, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.addAll(OPTIONS);
    command.add(
        "-D"
            + PostgresBinaries.JARS_PROPERTY
            + "="
            + Objects.requireNonNull(System.getProperty(PostgresBinaries.JARS_PROPERTY)));
    command.add(main);
    command.addAll(arguments);
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("CLASSPATH", classPath);
    return builder;
  }

  /** Starts the broker that Tidemark embeds, alone; its command {@code address} tells where. */
  static ChildProcess broker(Site site, Path folder) throws Exception {
    return ChildProcess.startTalking(
        site,
        java(
            classPath(),
            BROKER_MEMORY,
            BrokerProgram.class.getName(),
            List.of(folder.resolve("kafka").toString())),
        folder.resolve("broker.log"));
  }

  /** This JVM's own class path. */
  static String classPath() {
    return System.getProperty("java.class.path");
  }

  /**
   * The same without the jars, and the folders of classes, of some modules.
   *
   * @param prefixes of the jars' names, each the module's name and a dash
   */
  static String classPathWithout(String... prefixes) throws IOException {
    List<Path> entries = new ArrayList<>();
    for (String entry : classPath().split(File.pathSeparator)) {
      Path path = Path.of(entry).toAbsolutePath();
      List<Path> named = named(path);
      // A jar that names others in its manifest would bring them all back.
      entries.addAll(named.isEmpty() ? List.of(path) : named);
    }
    return entries.stream()
        .filter(entry -> Stream.of(prefixes).noneMatch(prefix -> belongsTo(entry, prefix)))
        .map(Path::toString)
        .collect(Collectors.joining(File.pathSeparator));
  }

  private static boolean belongsTo(Path entry, String prefix) {
    if (entry.getFileName().toString().startsWith(prefix)) {
      return true;
    }
    // In Maven's reactor a module may be its folder target/classes.
    String module = prefix.substring(0, prefix.length() - 1);
    return entry.endsWith(Path.of(module, "target", "classes"));
  }

  /** The entries that a jar's manifest adds to the class path. */
  private static List<Path> named(Path entry) throws IOException {
    if (!Files.isRegularFile(entry)) {
      return List.of();
    }
    try (JarFile jar = new JarFile(entry.toFile())) {
      Manifest manifest = jar.getManifest();
      String more =
          manifest == null
              ? null
              : manifest.getMainAttributes().getValue(Attributes.Name.CLASS_PATH);
      if (more == null || !entry.getFileName().toString().equals("tidemark.jar")) {
        return List.of();
      }
      List<Path> found = new ArrayList<>();
      for (String name : more.split(" ")) {
        found.add(entry.resolveSibling(name));
      }
      return found;
    }
  }
}
