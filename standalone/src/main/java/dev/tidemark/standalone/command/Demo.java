package dev.tidemark.standalone.command;

import dev.tidemark.standalone.Standalone;
import dev.tidemark.standalone.StandaloneConfig;
import dev.tidemark.standalone.data.DataFolder;
import dev.tidemark.standalone.data.TemporaryFolder;
import dev.tidemark.standalone.demo.BrokenPromiseException;
import dev.tidemark.standalone.demo.DemoScene;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code ./tidemark demo}: the scene on an installation of its own, which it removes. */
@Command(
    name = "demo",
    description =
        "Plays a scene on an installation of its own: pause the projector, write, read with the"
            + " write's position (202), resume, read (200); then measures 300 writes. Prints a"
            + " transcript; exit status 0 only when every step was as promised.")
public final class Demo implements Callable<Integer> {

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws Exception {
    PrintWriter out = spec.commandLine().getOut();
    out.println("(starting PostgreSQL, Kafka, capture, projector and gateway)");
    out.flush();
    try (Foreground foreground = Foreground.untilSignal();
        TemporaryFolder temporary = TemporaryFolder.create("tidemark-demo")) {
      Logs.toFolder(temporary.path());
      try (Standalone standalone =
          Standalone.start(DataFolder.lock(temporary.path()), StandaloneConfig.onAnyPort())) {
        new DemoScene(standalone, out).play();
        return 0;
      } catch (BrokenPromiseException e) {
        out.println(e.getMessage());
        return 1;
      }
    }
  }
}
