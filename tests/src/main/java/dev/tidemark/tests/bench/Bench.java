package dev.tidemark.tests.bench;

import dev.tidemark.tests.bench.report.Goals;
import dev.tidemark.tests.bench.report.Machine;
import dev.tidemark.tests.bench.report.Result;
import dev.tidemark.tests.bench.report.ResultFile;
import dev.tidemark.tests.bench.report.ResultTable;
import dev.tidemark.tests.bench.system.BenchException;
import dev.tidemark.tests.bench.system.Site;
import dev.tidemark.tests.bench.system.SystemKind;
import dev.tidemark.tests.bench.workload.Context;
import dev.tidemark.tests.bench.workload.Scale;
import dev.tidemark.tests.bench.workload.Workload;
import dev.tidemark.tests.bench.workload.Workloads;
import dev.tidemark.tests.command.WrongUsage;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ./tidemark bench}. Exit status: 0 measured, 1 a system failed, 2 usage. */
@Command(
    name = "./tidemark bench",
    description = {
      "Measures Tidemark and its peers, one after the other, on servers of its own in a temporary"
          + " folder. Prints one table, and progress meanwhile.",
      "Nothing else should run on the machine."
    })
public final class Bench implements Callable<Integer> {

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "write the results into this file, too")
  private @Nullable Path json;

  @Option(
      names = "--only",
      paramLabel = "NAME",
      split = ",",
      description =
          "workloads to run, separated by commas (default: all of ${COMPLETION-CANDIDATES})",
      completionCandidates = Workloads.Names.class)
  private List<String> only = new ArrayList<>();

  @Option(
      names = "--systems",
      paramLabel = "NAME",
      split = ",",
      description =
          "systems to measure, separated by commas (default: all of ${COMPLETION-CANDIDATES})",
      completionCandidates = SystemNames.class)
  private List<String> systems = new ArrayList<>();

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description =
          "how many rounds count (default: 3, and 2 of what takes long); snapshots and slow peers'"
              + " backlogs have one")
  private Optional<Integer> rounds = Optional.empty();

  @Option(
      names = "--quick",
      description = "little of everything, to see that it works; the figures say nothing")
  private boolean quick;

  @SuppressWarnings("UnusedVariable") // picocli asks for it by its annotation
  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "print this help")
  private boolean help;

  private Bench() {}

  /** The entry of the JVM. */
  public static void main(String[] arguments) {
    System.exit(commandLine().execute(arguments));
  }

  /** The command line, for {@link #main} and for tests. */
  static CommandLine commandLine() {
    return new CommandLine(new Bench()).setParameterExceptionHandler(new WrongUsage());
  }

  @Override
  public Integer call() throws Exception {
    List<Workload> workloads = workloads();
    List<SystemKind> measured = systems();
    Scale scale = scale();
    PrintWriter err = spec.commandLine().getErr();
    long begin = System.nanoTime();
    Site site = Site.open();
    Context context = new Context(site, measured, scale, line -> progress(err, begin, line));
    try (site) {
      context.progress().accept("the data is in " + site.folder());
      for (Workload workload : workloads) {
        workload.run(context);
      }
      report(context.results(), scale);
      return 0;
    } catch (Exception e) {
      if (!site.ending()) {
        tell(e, err);
        report(context.results(), scale);
      }
      return 1;
    }
  }

  private static void progress(PrintWriter err, long begin, String line) {
    Duration passed = Duration.ofNanos(System.nanoTime() - begin);
    err.printf(Locale.ROOT, "[%02d:%02d] %s%n", passed.toMinutes(), passed.toSecondsPart(), line);
    err.flush();
  }

  private void report(List<Result> results, Scale scale) throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    ResultTable.lines(results).forEach(out::println);
    out.println();
    Goals.lines(results).forEach(out::println);
    out.flush();
    Path file = json;
    if (file != null) {
      ResultFile.write(file, Machine.describe(scale.name()), results);
    }
  }

  private static void tell(Exception e, PrintWriter err) {
    if (e instanceof BenchException) {
      err.println("tidemark bench: " + e.getMessage());
    } else {
      err.print("tidemark bench: ");
      e.printStackTrace(err);
    }
    Throwable cause = e.getCause();
    if (e instanceof BenchException && cause != null) {
      err.println("because of " + cause);
    }
    err.flush();
  }

  private List<Workload> workloads() {
    List<Workload> all = Workloads.all();
    check("workload", "--only", only, all.stream().map(Workload::name).toList());
    return all.stream().filter(w -> only.isEmpty() || only.contains(w.name())).toList();
  }

  private List<SystemKind> systems() {
    check("system", "--systems", systems, SystemKind.names());
    return Stream.of(SystemKind.values())
        .filter(kind -> systems.isEmpty() || systems.contains(kind.text()))
        .toList();
  }

  private void check(String what, String option, List<String> names, List<String> allowed) {
    for (String name : names) {
      if (!allowed.contains(name)) {
        throw new ParameterException(
            spec.commandLine(),
            "there is no "
                + what
                + " '"
                + name
                + "'; "
                + option
                + " takes "
                + String.join(", ", allowed));
      }
    }
  }

  private Scale scale() {
    Scale scale = quick ? Scale.QUICK : Scale.FULL;
    if (rounds.isEmpty()) {
      return scale;
    }
    if (rounds.get() < 1) {
      throw new ParameterException(
          spec.commandLine(), "--rounds is 1 or more, not " + rounds.get());
    }
    return scale.withRounds(rounds.get());
  }

  /** The systems' names, for the help. */
  static final class SystemNames implements Iterable<String> {

    @Override
    public Iterator<String> iterator() {
      return SystemKind.names().iterator();
    }
  }
}
