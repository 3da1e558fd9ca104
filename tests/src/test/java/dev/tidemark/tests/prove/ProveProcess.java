package dev.tidemark.tests.prove;

import dev.tidemark.standalone.postgres.PostgresBinaries;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * {@code ./tidemark prove} as a process of its own, on this JVM's class path.
 *
 * @param status its exit status
 * @param output all that it printed
 */
public record ProveProcess(int status, String output) {

  /** Runs it to its end; it cleans up by itself, also when this JVM is stopped. */
  public static ProveProcess run(List<String> jvmOptions, String... arguments)
      throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx700m",
                "-Duser.timezone=UTC",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-D"
                    + PostgresBinaries.JARS_PROPERTY
                    + "="
                    + System.getProperty(PostgresBinaries.JARS_PROPERTY)));
    command.addAll(jvmOptions);
    command.add(Prove.class.getName());
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder
        .environment()
        .put(
            "CLASSPATH",
            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
    Process process =
        builder
            .redirectErrorStream(true)
            .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
            .start();
    Thread stop = new Thread(process::destroy);
    Runtime.getRuntime().addShutdownHook(stop);
    try {
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return new ProveProcess(process.waitFor(), output);
    } finally {
      process.destroy();
      Runtime.getRuntime().removeShutdownHook(stop);
    }
  }

  /** A figure of its summary. */
  public long figure(String name) {
    Matcher matcher = Pattern.compile("(?m)^ *\\Q" + name + "\\E +([0-9]+)$").matcher(output);
    if (!matcher.find()) {
      throw new IllegalStateException("no figure `" + name + "` in " + output);
    }
    return Long.parseLong(matcher.group(1));
  }
}
