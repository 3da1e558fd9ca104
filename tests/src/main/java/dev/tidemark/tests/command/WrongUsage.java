package dev.tidemark.tests.command;

import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;

/** Says what is wrong with a command's arguments in one line, and where its help is. */
public final class WrongUsage implements IParameterExceptionHandler {

  private static final String HERE = "./";

  @Override
  public int handleParseException(ParameterException e, String[] arguments) {
    CommandLine line = e.getCommandLine();
    String command = line.getCommandName();
    PrintWriter err = line.getErr();
    err.println(command.substring(HERE.length()) + ": " + e.getMessage());
    err.println("See " + command + " --help");
    return CommandLine.ExitCode.USAGE;
  }
}
