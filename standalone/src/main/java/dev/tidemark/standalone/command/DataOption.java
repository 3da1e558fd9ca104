package dev.tidemark.standalone.command;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The option that names the data folder, the same for every sub-command. */
final class DataOption {

  @Option(
      names = "--data",
      paramLabel = "DIR",
      defaultValue = "data",
      description = "the installation's data folder (default: ./${DEFAULT-VALUE})")
  private Path folder = Path.of("data");

  Path folder() {
    return folder;
  }
}
