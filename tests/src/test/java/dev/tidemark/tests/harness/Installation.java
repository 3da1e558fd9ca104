package dev.tidemark.tests.harness;

import static org.awaitility.Awaitility.await;

import dev.tidemark.standalone.Main;
import dev.tidemark.standalone.data.DataFolder;
import dev.tidemark.standalone.data.Endpoints;
import dev.tidemark.standalone.issuer.LocalIssuer;
import dev.tidemark.standalone.postgres.PostgresBinaries;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * {@code ./tidemark up} as a process of its own, on this JVM's class path. Not thread-safe.
 *
 * <p>Whatever happens, {@link #close} leaves no process behind.
 */
public final class Installation implements AutoCloseable {

  private static final Duration START_LIMIT = Duration.ofMinutes(3);
  private static final Duration STOP_LIMIT = Duration.ofMinutes(1);

  private final Path data;
  private final Path routes;
  private final Process process;
  private final Endpoints endpoints;

  private Installation(Path data, Path routes) throws IOException {
    this.data = data;
    this.routes = routes;
    Endpoints.delete(data);
    this.process = launch();
    try {
      await()
          .atMost(START_LIMIT)
          .until(() -> !process.isAlive() || Files.exists(DataFolder.endpointsFile(data)));
      if (!process.isAlive()) {
        throw new IllegalStateException(
            "tidemark up ended with status "
                + process.exitValue()
                + ": "
                + Files.readString(output()));
      }
      this.endpoints = Endpoints.read(data);
    } catch (IOException | RuntimeException e) {
      close();
      throw e;
    }
  }

  /** Starts on a data folder, new or with data; returns when it is ready. */
  public static Installation start(Path data, Path routes) throws IOException {
    return new Installation(Files.createDirectories(data), routes);
  }

  private Process launch() throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx700m",
            "-Duser.timezone=UTC",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-D"
                + PostgresBinaries.JARS_PROPERTY
                + "="
                + System.getProperty(PostgresBinaries.JARS_PROPERTY),
            Main.class.getName(),
            "up",
            "--data",
            data.toString(),
            "--port",
            "0",
            "--routes",
            routes.toString());
    builder.environment().put("CLASSPATH", classPath());
    return builder
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(output().toFile()))
        .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
        .start();
  }

  /** Maven's Surefire may start its JVM with a jar that only names the class path. */
  private static String classPath() {
    return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
  }

  private Path output() {
    return data.resolveSibling(data.getFileName() + ".out");
  }

  /** Where it is reached. */
  public Endpoints endpoints() {
    return endpoints;
  }

  /** Sends requests in the name of a tenant. */
  public Caller caller(String tenant, String... roles) throws IOException {
    return new Caller(
        endpoints.gateway(),
        LocalIssuer.load(data).issue(tenant, List.of(roles), Duration.ofHours(1)));
  }

  /** Kills the JVM as {@code kill -9} does. What it started is left to the next start. */
  public void kill() {
    process.destroyForcibly();
    await().atMost(STOP_LIMIT).until(() -> !process.isAlive());
  }

  @Override
  public void close() throws IOException {
    process.destroy();
    try {
      await().atMost(STOP_LIMIT).until(() -> !process.isAlive());
    } finally {
      process.destroyForcibly();
      killServers();
    }
  }

  /** Database servers that outlived their JVM: a killed postmaster takes its processes along. */
  private void killServers() throws IOException {
    try (Stream<Path> files = Files.walk(data)) {
      for (Path file : files.filter(each -> each.endsWith("postmaster.pid")).toList()) {
        ProcessHandle.of(Long.parseLong(Files.readAllLines(file).getFirst().strip()))
            .ifPresent(ProcessHandle::destroyForcibly);
      }
    }
  }
}
