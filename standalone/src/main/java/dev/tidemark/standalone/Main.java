package dev.tidemark.standalone;

import dev.tidemark.standalone.command.Demo;
import dev.tidemark.standalone.command.Routes;
import dev.tidemark.standalone.command.RunCapture;
import dev.tidemark.standalone.command.RunGateway;
import dev.tidemark.standalone.command.RunProjector;
import dev.tidemark.standalone.command.Status;
import dev.tidemark.standalone.command.Token;
import dev.tidemark.standalone.command.Up;
import dev.tidemark.standalone.data.InstallationException;
import dev.tidemark.topics.schema.PlanException;
import dev.tidemark.topics.yaml.YamlException;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * The command line behind the script {@code ./tidemark}, which finds a JDK and builds first. Exit
 * status: 0 done, 1 failed, 2 wrong usage.
 */
@Command(
    name = "./tidemark",
    subcommands = {
      Up.class,
      Demo.class,
      Token.class,
      Status.class,
      Routes.class,
      RunCapture.class,
      RunProjector.class,
      RunGateway.class
    },
    description = "Replica tables over change data capture, with reads that never miss a write.")
public final class Main implements Runnable {

  @Spec private CommandSpec spec = CommandSpec.create();

  @SuppressWarnings("UnusedVariable") // picocli asks for it by its annotation
  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      scope = ScopeType.INHERIT,
      description = "print this help")
  private boolean help;

  private Main() {}

  /** The entry of the JVM. */
  public static void main(String[] arguments) {
    System.exit(commandLine().execute(arguments));
  }

  /** The whole command line, for {@link #main} and for tests. */
  public static CommandLine commandLine() {
    return new CommandLine(new Main())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setParameterExceptionHandler((e, arguments) -> wrongUsage(e))
        .setExecutionExceptionHandler((e, command, parsed) -> failed(e, command));
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "name a sub-command");
  }

  private static int wrongUsage(ParameterException e) {
    CommandLine command = e.getCommandLine();
    PrintWriter err = command.getErr();
    err.println(name(command) + ": " + e.getMessage());
    UnmatchedArgumentException.printSuggestions(e, err);
    err.println("See " + command.getCommandSpec().qualifiedName() + " --help");
    return CommandLine.ExitCode.USAGE;
  }

  private static int failed(Exception e, CommandLine command) {
    PrintWriter err = command.getErr();
    if (isForThePersonWhoCalled(e)) {
      // A problem's line begins with its file, so that editors and terminals turn it into a link.
      String separator = e instanceof YamlException ? ":" + System.lineSeparator() : ": ";
      err.println(name(command) + separator + e.getMessage());
    } else {
      err.print(name(command) + ": ");
      e.printStackTrace(err);
    }
    return CommandLine.ExitCode.SOFTWARE;
  }

  /** Whose message says all there is to say. */
  private static boolean isForThePersonWhoCalled(Exception e) {
    return e instanceof InstallationException
        || e instanceof YamlException
        || e instanceof PlanException;
  }

  private static String name(CommandLine command) {
    return command.getCommandSpec().qualifiedName().replaceFirst("^\\./", "");
  }
}
