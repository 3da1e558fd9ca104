package dev.tidemark.standalone.command;

import dev.tidemark.projector.Projector;
import dev.tidemark.projector.ProjectorConfig;
import dev.tidemark.standalone.role.ProblemReporter;
import dev.tidemark.standalone.role.RoleFile;
import dev.tidemark.standalone.role.SignIn;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code ./tidemark projector}: one projector on servers of your own. */
@Command(
    name = "projector",
    description = {
      "Writes the log topic into the replica tables, on a Kafka and a PostgreSQL of your own.",
      "Several share the partitions. Stays in the foreground until Ctrl-C or SIGTERM."
    })
public final class RunProjector implements Callable<Integer> {

  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private ConfigOption config = new ConfigOption();

  @Override
  public Integer call() throws Exception {
    Logs.toConsole();
    ProjectorConfig projector = RoleFile.projector(config.file(), System.getenv());
    SignIn.check(projector.replicaJdbcUrl(), projector.user(), projector.password());
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    try (Foreground foreground = Foreground.untilSignal();
        Projector running = Projector.start(projector);
        ProblemReporter reporter =
            ProblemReporter.start("projector", running::problem, line -> Lines.print(err, line))) {
      Lines.started(out, "projector", projector.routes(), projector.instance());
      foreground.await();
      Lines.print(out, "tidemark: stopping");
    }
    return 0;
  }
}
