package dev.tidemark.tests.client;

import dev.tidemark.tests.harness.TestPipeline;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;

/**
 * A program of the module {@code examples}, as a newcomer starts it: with the class path of that
 * module alone. Not thread-safe; {@link #close} leaves no process behind.
 */
final class ExampleProcess implements AutoCloseable {

  private static final Path TARGET = Path.of("..", "examples", "target").toAbsolutePath();

  private final Process process;
  private final Path log;

  private ExampleProcess(Process process, Path log) {
    this.process = process;
    this.log = log;
  }

  /** Starts a main class; what it prints goes to the file. */
  static ExampleProcess start(
      Path log, Map<String, String> environment, String main, String... arguments)
      throws IOException {
    if (!Files.isDirectory(TARGET.resolve("lib"))) {
      throw new IllegalStateException(
          "examples/target/lib is missing: run the phase verify, which packages examples first");
    }
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Dstdout.encoding=UTF-8",
                "-cp",
                TARGET.resolve("examples.jar") + ":" + TARGET.resolve("lib") + "/*",
                main));
    command.addAll(List.of(arguments));
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
    // Maven's own options are not meant for it.
    builder.environment().remove("JDK_JAVA_OPTIONS");
    builder.environment().putAll(environment);
    return new ExampleProcess(builder.start(), log);
  }

  /** Waits until it has printed what the pattern finds; gives the pattern's first group. */
  String await(String pattern) {
    Pattern printed = Pattern.compile(pattern);
    Matcher found =
        Awaitility.await()
            .atMost(TestPipeline.LIMIT)
            .until(
                () -> {
                  Matcher matcher = printed.matcher(Files.readString(log));
                  if (!matcher.find() && !process.isAlive()) {
                    throw new IllegalStateException("it ended: " + Files.readString(log));
                  }
                  return matcher.reset();
                },
                Matcher::find);
    return found.group(1);
  }

  /** Waits for its end; gives all that it has printed. */
  String output() throws IOException {
    Awaitility.await().atMost(TestPipeline.LIMIT).until(() -> !process.isAlive());
    return Files.readString(log);
  }

  @Override
  public void close() {
    process.destroy();
    try {
      Awaitility.await().atMost(TestPipeline.LIMIT).until(() -> !process.isAlive());
    } finally {
      process.destroyForcibly();
    }
  }
}
