package dev.tidemark.standalone.command;

import dev.tidemark.capture.Capture;
import dev.tidemark.capture.CaptureConfig;
import dev.tidemark.standalone.role.ProblemReporter;
import dev.tidemark.standalone.role.RoleFile;
import dev.tidemark.standalone.role.SignIn;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code ./tidemark capture}: one capture on servers of your own. */
@Command(
    name = "capture",
    description = {
      "Reads the source's slot into the log topic, on a PostgreSQL and a Kafka of your own.",
      "Several may run: one reads, the others stand by. Stays in the foreground until Ctrl-C or"
          + " SIGTERM."
    })
public final class RunCapture implements Callable<Integer> {

  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private ConfigOption config = new ConfigOption();

  @Override
  public Integer call() throws Exception {
    Logs.toConsole();
    CaptureConfig capture = RoleFile.capture(config.file(), System.getenv());
    SignIn.check(capture.sourceJdbcUrl(), capture.user(), capture.password());
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    try (Foreground foreground = Foreground.untilSignal();
        Capture running = Capture.start(capture);
        ProblemReporter reporter =
            ProblemReporter.start("capture", running::problem, line -> Lines.print(err, line))) {
      Lines.started(out, "capture", capture.routes(), capture.instance());
      foreground.await();
      Lines.print(out, "tidemark: stopping");
    }
    return 0;
  }
}
