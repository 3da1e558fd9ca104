package dev.tidemark.standalone.command;

import dev.tidemark.standalone.RouteFiles;
import dev.tidemark.topics.route.RouteFile;
import dev.tidemark.topics.route.RouteFileException;
import dev.tidemark.topics.yaml.Problem;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code ./tidemark routes check}: every problem of a route file, a line each. */
@Command(
    name = "check",
    description =
        "Prints all problems of a route file at once, as FILE:LINE: PROBLEM. Exit status 1 when"
            + " there are any.")
public final class RoutesCheck implements Callable<Integer> {

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "FILE", description = "the route file")
  private Path file = Path.of("");

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    try {
      RouteFile routes = RouteFiles.read(file);
      out.printf("%s: no problem found in %d routes%n", file, routes.routes().size());
      return 0;
    } catch (RouteFileException e) {
      for (Problem problem : e.problems()) {
        out.println(problem);
      }
      return 1;
    }
  }
}
