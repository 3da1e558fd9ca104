package dev.tidemark.standalone.command;

import dev.tidemark.standalone.Layout;
import dev.tidemark.standalone.Standalone;
import dev.tidemark.standalone.StandaloneConfig;
import dev.tidemark.standalone.data.DataFolder;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ./tidemark up}: the whole installation, in the foreground. */
@Command(
    name = "up",
    description = {
      "Runs everything on embedded servers: source and replica PostgreSQL, Kafka, capture,"
          + " projector, gateway.",
      "Prints the URL when it is ready and stays in the foreground; Ctrl-C or SIGTERM stops it."
          + " The data survives."
    })
public final class Up implements Callable<Integer> {

  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private DataOption data = new DataOption();

  @Option(
      names = "--port",
      paramLabel = "N",
      defaultValue = "" + StandaloneConfig.DEFAULT_PORT,
      description = "port of HTTP on 127.0.0.1 (default: ${DEFAULT-VALUE}); 0 takes a free one")
  private int port;

  @Option(
      names = "--routes",
      paramLabel = "FILE",
      description = "the route file (default: the built-in example)")
  private @Nullable Path routes;

  @Option(
      names = "--pg",
      paramLabel = "15..18",
      description = "PostgreSQL's major version (default: that of the data, for new data 18)")
  private @Nullable Integer postgres;

  @Option(
      names = "--layout",
      paramLabel = "LAYOUT",
      description =
          "where the two databases live: ${COMPLETION-CANDIDATES} (default: as the data has it, for"
              + " new data two-clusters)")
  private @Nullable Layout layout;

  @Override
  public Integer call() throws Exception {
    StandaloneConfig config = config();
    PrintWriter out = spec.commandLine().getOut();
    long began = System.nanoTime();
    DataFolder folder = DataFolder.lock(data.folder());
    Logs.toFolder(folder.path());
    out.println("tidemark: starting on the data folder " + folder.path());
    try (Foreground foreground = Foreground.untilSignal();
        Standalone standalone = Standalone.start(folder, config)) {
      out.printf(
          Locale.ROOT,
          "tidemark: ready after %.1f s at %s (Ctrl-C stops it)%n",
          Duration.ofNanos(System.nanoTime() - began).toMillis() / 1000.0,
          standalone.endpoints().gateway());
      out.println("tidemark: web pages at " + standalone.endpoints().gateway() + "/desk/");
      out.flush();
      foreground.await();
      out.println("tidemark: stopping");
      out.flush();
    }
    return 0;
  }

  private StandaloneConfig config() {
    try {
      return new StandaloneConfig(
          port,
          Optional.ofNullable(routes),
          postgres == null ? OptionalInt.empty() : OptionalInt.of(postgres),
          Optional.ofNullable(layout));
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }
}
