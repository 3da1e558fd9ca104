package dev.tidemark.standalone.command;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ./tidemark routes}: what can be known of a route file before it is used. */
@Command(
    name = "routes",
    subcommands = {RoutesCheck.class, RoutesPlan.class},
    description = "Checks a route file, or shows what it would do.")
public final class Routes implements Runnable {

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "name a sub-command: check or plan");
  }
}
