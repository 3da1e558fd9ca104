package dev.tidemark.standalone.command;

import dev.tidemark.standalone.RouteFiles;
import dev.tidemark.standalone.data.Endpoints;
import dev.tidemark.topics.route.RouteFile;
import dev.tidemark.topics.schema.Plan;
import dev.tidemark.topics.schema.RoutePlans;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code ./tidemark routes plan}: the SQL that a route file leads to. */
@Command(
    name = "plan",
    description =
        "Prints the SQL that a route file leads to on the source and on the replica. Runs nothing.")
public final class RoutesPlan implements Callable<Integer> {

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "FILE", description = "the route file")
  private Path file = Path.of("");

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description =
          "plan for the databases of the installation that runs on this data folder (default: for"
              + " databases that Tidemark has never used)")
  private @Nullable Path data;

  @Override
  public Integer call() throws Exception {
    RouteFile routes = RouteFiles.read(file);
    PrintWriter out = spec.commandLine().getOut();
    for (Plan plan : data == null ? RoutePlans.offline(routes) : online(routes, data)) {
      out.println(plan.print());
    }
    out.flush();
    return 0;
  }

  private static List<Plan> online(RouteFile routes, Path data) throws IOException, SQLException {
    Endpoints endpoints = Endpoints.read(data);
    try (Connection source = DriverManager.getConnection(endpoints.sourceJdbcUrl());
        Connection replica = DriverManager.getConnection(endpoints.replicaJdbcUrl())) {
      return RoutePlans.online(routes, source, Optional.of(replica));
    }
  }
}
