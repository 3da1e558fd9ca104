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
import java.util.Locale;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code ./tidemark routes plan}: the SQL that a route file leads to. */
@Command(
    name = "plan",
    description =
        "Prints the SQL that a route file leads to on the source and on the replica. Runs nothing.")
public final class RoutesPlan implements Callable<Integer> {

  /** Which of the two plans. */
  enum Database {
    SOURCE,
    REPLICA
  }

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

  @Option(
      names = "--source",
      paramLabel = "JDBC_URL",
      description =
          "plan for this source database as it is; needs --replica too. The URL names the user, the"
              + " environment variable PGPASSWORD holds the password of both")
  private @Nullable String source;

  @Option(
      names = "--replica",
      paramLabel = "JDBC_URL",
      description = "plan for this replica database as it is; needs --source too")
  private @Nullable String replica;

  @Option(
      names = "--only",
      paramLabel = "DATABASE",
      description = "print one plan, to feed psql: source or replica (default: both)")
  private @Nullable Database only;

  @Override
  public Integer call() throws Exception {
    RouteFile routes = RouteFiles.read(file);
    PrintWriter out = spec.commandLine().getOut();
    for (Plan plan : plans(routes)) {
      if (only == null || only.name().toLowerCase(Locale.ROOT).equals(plan.database())) {
        out.println(plan.print());
      }
    }
    out.flush();
    return 0;
  }

  private List<Plan> plans(RouteFile routes) throws IOException, SQLException {
    if (source != null && replica != null && data == null) {
      return online(routes, source, replica);
    }
    if (source != null || replica != null) {
      throw new ParameterException(
          spec.commandLine(), "--source and --replica go together, and without --data");
    }
    if (data == null) {
      return RoutePlans.offline(routes);
    }
    Endpoints endpoints = Endpoints.read(data);
    return online(routes, endpoints.sourceJdbcUrl(), endpoints.replicaJdbcUrl());
  }

  private static List<Plan> online(RouteFile routes, String sourceUrl, String replicaUrl)
      throws SQLException {
    try (Connection source = connect(sourceUrl);
        Connection replica = connect(replicaUrl)) {
      return RoutePlans.online(routes, source, Optional.of(replica));
    }
  }

  /** What the URL says goes before the environment. */
  private static Connection connect(String url) throws SQLException {
    Properties properties = new Properties();
    Optional.ofNullable(System.getenv("PGPASSWORD"))
        .ifPresent(password -> properties.setProperty("password", password));
    return DriverManager.getConnection(url, properties);
  }
}
