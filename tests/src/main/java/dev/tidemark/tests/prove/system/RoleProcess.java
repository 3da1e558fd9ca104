package dev.tidemark.tests.prove.system;

import dev.tidemark.standalone.Main;
import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * One role as a process of its own, with the command that a user would start. Its methods are
 * called by one thread at a time, but for {@link #close}.
 */
public final class RoleProcess implements AutoCloseable {

  private static final int STOP_SECONDS = 40;

  private final String role;
  private final String instance;
  private final Path config;
  private final Path output;
  private volatile Process process;
  private boolean closed;

  /** Starts it. */
  RoleProcess(String role, String instance, Path config, Path output) throws IOException {
    this.role = role;
    this.instance = instance;
    this.config = config;
    this.output = output;
    this.process = launch();
  }

  private Process launch() throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Duser.timezone=UTC",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow"));
    // Whoever runs this JVM with an agent wants it in the roles as well.
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(argument -> argument.startsWith("-javaagent:"))
        .forEach(command::add);
    command.addAll(List.of(Main.class.getName(), role, "--config", config.toString()));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
    return builder
        .redirectErrorStream(true)
        .redirectOutput(Redirect.appendTo(output.toFile()))
        .redirectInput(Redirect.from(new File("/dev/null")))
        .start();
  }

  /** Its name in the group of its role. */
  public String instance() {
    return instance;
  }

  /** Whether it runs, or is paused. */
  public boolean isAlive() {
    return process.isAlive();
  }

  /** Ends it as {@code kill -9} does. */
  public void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  /** Asks it to stop, and waits until it has. */
  public void stop() throws InterruptedException {
    process.destroy();
    if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
      kill();
    }
  }

  /** Starts it again, under its old name. */
  public synchronized void startAgain() throws IOException {
    if (!closed) {
      process = launch();
    }
  }

  /** Stands it still, as {@code kill -STOP} does. */
  public void pause() throws IOException, InterruptedException {
    signal("STOP");
  }

  /** Lets it go on, not knowing that it stood still. */
  public void resume() throws IOException, InterruptedException {
    signal("CONT");
  }

  private void signal(String name) throws IOException, InterruptedException {
    int status =
        new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
    if (status != 0) {
      throw new IOException("kill -" + name + " of " + instance + " failed");
    }
  }

  /** Ends it at once, also when it is paused. */
  @Override
  public synchronized void close() {
    closed = true;
    process.destroyForcibly();
  }
}
