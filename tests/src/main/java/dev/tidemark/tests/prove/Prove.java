package dev.tidemark.tests.prove;

import dev.tidemark.standalone.data.TemporaryFolder;
import dev.tidemark.tests.command.WrongUsage;
import dev.tidemark.tests.prove.history.Figures;
import dev.tidemark.tests.prove.history.Figures.Figure;
import dev.tidemark.tests.prove.history.Journal;
import dev.tidemark.tests.prove.system.Tidemark;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.bridge.SLF4JBridgeHandler;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ./tidemark prove}: load, faults, checks. Exit status: 0 no violation, 1 some, 2 usage. */
@Command(
    name = "./tidemark prove",
    description = {
      "Runs a Tidemark of its own in a temporary folder, writes and reads with many clients, breaks"
          + " its parts by a seeded schedule, and checks every answer. Prints figures, the seed, and"
          + " each violation with the history of its rows.",
      "Exit status 0 when there is none, 1 when there are some."
    })
public final class Prove implements Callable<Integer> {

  private static final double LONGEST_MINUTES = 24 * 60;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--seed",
      paramLabel = "N",
      description =
          "of the faults and of the load's choices (default: a random one, which is printed)")
  private Optional<Long> seed = Optional.empty();

  @Option(
      names = "--minutes",
      paramLabel = "M",
      defaultValue = "10",
      description = "how long, such as 10 or 0.5 (default: ${DEFAULT-VALUE}); the end comes on top")
  private double minutes;

  @Option(
      names = "--stop-at-first",
      description = "stop at the first violation, without the comparisons of the end")
  private boolean stopAtFirst;

  @SuppressWarnings("UnusedVariable") // picocli asks for it by its annotation
  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "print this help")
  private boolean help;

  private Prove() {}

  /** The entry of the JVM. */
  public static void main(String[] arguments) {
    System.exit(commandLine().execute(arguments));
  }

  /** The command line, for {@link #main} and for tests. */
  static CommandLine commandLine() {
    return new CommandLine(new Prove()).setParameterExceptionHandler(new WrongUsage());
  }

  @Override
  public Integer call() throws Exception {
    if (!(minutes > 0 && minutes <= LONGEST_MINUTES)) {
      throw new ParameterException(
          spec.commandLine(),
          "--minutes is above 0 and at most " + (int) LONGEST_MINUTES + ", not " + minutes);
    }
    PrintWriter out = spec.commandLine().getOut();
    long chosen = seed.orElseGet(() -> ThreadLocalRandom.current().nextLong(1, 1_000_000_000));
    Path logs = Files.createTempDirectory("tidemark-prove-logs");
    Thread removal = new Thread(() -> remove(logs), "prove-logs");
    Runtime.getRuntime().addShutdownHook(removal);
    logTo(logs.resolve("prove.log"));
    out.println("tidemark prove: seed " + chosen + ", " + minutes + " min; starting");
    out.flush();
    int violations;
    try (Journal journal = new Journal(logs.resolve("history.log"));
        Tidemark tidemark = Tidemark.start(TemporaryFolder.create("tidemark-prove").path(), logs)) {
      ProveRun run =
          new ProveRun(
              tidemark,
              journal,
              out,
              chosen,
              Duration.ofMillis((long) (minutes * 60_000)),
              stopAtFirst);
      run.run();
      report(out, run.figures(), journal);
      violations = journal.violationCount();
    }
    out.println(
        violations == 0
            ? "0 violations"
            : violations + " violations; the whole history and the logs are in " + logs);
    out.println("repeat with: ./tidemark prove --seed " + chosen + " --minutes " + minutes);
    out.flush();
    if (violations > 0) {
      Runtime.getRuntime().removeShutdownHook(removal);
      return 1;
    }
    return 0;
  }

  private static void remove(Path logs) {
    try {
      TemporaryFolder.deleteRecursively(logs);
    } catch (java.io.IOException e) {
      System.err.println("tidemark prove: " + logs + " could not be removed: " + e);
    }
  }

  /** Before the first logger is made: what faults make the gateway and the broker say. */
  private static void logTo(Path file) {
    System.setProperty("tidemark.prove.log", file.toString());
    System.setProperty("logback.configurationFile", "logback-prove.xml");
    System.setProperty("org.springframework.boot.logging.LoggingSystem", "none");
    SLF4JBridgeHandler.removeHandlersForRootLogger();
    SLF4JBridgeHandler.install();
  }

  private static void report(PrintWriter out, Figures figures, Journal journal) {
    out.println("operations              " + figures.operations());
    out.println("writes                  " + figures.of(Figure.WRITES));
    out.println("writes without answer   " + figures.of(Figure.UNKNOWN_WRITES));
    out.println("gated reads             " + figures.gatedReads());
    out.println("  answered 200 or 404   " + figures.of(Figure.GATED_200));
    out.println("  answered 202          " + figures.of(Figure.GATED_202));
    out.println("  409 after a crash     " + figures.of(Figure.GATED_409));
    out.println("reads without a gate    " + figures.of(Figure.PLAIN_READS));
    out.println("reads over JDBC         " + figures.of(Figure.JDBC_READS));
    out.println("reads as a stranger     " + figures.of(Figure.FOREIGN_READS));
    out.println("refused while down      " + figures.of(Figure.REFUSED));
    out.println("tokens                  " + figures.of(Figure.TOKENS));
    out.println("  followed to their 200 " + figures.of(Figure.TOKENS_FOLLOWED));
    out.println(
        "longest wait for a 200  %.1f s".formatted(ProveRun.seconds(figures.longestWait())));
    out.println("faults                  " + figures.allFaults());
    figures.faults().forEach((name, count) -> out.println("  " + count + " x " + name));
    for (String violation : journal.violations()) {
      out.println("VIOLATION: " + violation);
    }
    out.flush();
  }
}
