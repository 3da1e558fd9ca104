package dev.tidemark.standalone.command;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The option that names the configuration file of the three roles. */
final class ConfigOption {

  @Option(
      names = "--config",
      paramLabel = "FILE",
      required = true,
      description = "the configuration file; examples/tidemark.yaml shows all of its keys")
  private Path file = Path.of("");

  Path file() {
    return file;
  }
}
