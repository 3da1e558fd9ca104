package dev.tidemark.tests.bench.system;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A process of the bench. Its standard input stays open as long as it is wanted: the bench's own
 * programs end when it is closed, also when the bench was killed.
 */
final class ChildProcess implements AutoCloseable {

  private static final int STOP_SECONDS = 40;
  private static final int TAIL_LINES = 30;

  private final Process process;
  private final Path log;
  private final Writer input;
  private final BufferedReader output;

  private ChildProcess(Process process, Path log) {
    this.process = process;
    this.log = log;
    this.input = process.outputWriter();
    this.output = process.inputReader();
  }

  /** Starts one whose output all goes into the log. */
  static ChildProcess start(Site site, ProcessBuilder builder, Path log) throws Exception {
    builder.redirectErrorStream(true).redirectOutput(Redirect.appendTo(log.toFile()));
    return site.start(() -> new ChildProcess(builder.start(), log));
  }

  /** Starts one that answers each line of its input by lines of its output. */
  static ChildProcess startTalking(Site site, ProcessBuilder builder, Path log) throws Exception {
    builder.redirectError(Redirect.appendTo(log.toFile()));
    return site.start(() -> new ChildProcess(builder.start(), log));
  }

  long pid() {
    return process.pid();
  }

  Path log() {
    return log;
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /**
   * Sends a command and waits for the answer.
   *
   * @throws BenchException when the process has ended or the command failed
   */
  synchronized String command(String line) throws IOException {
    String answer;
    try {
      input.write(line + "\n");
      input.flush();
      answer = output.readLine();
    } catch (IOException e) {
      throw new BenchException("a process has ended" + logTail(), e);
    }
    if (answer == null || answer.startsWith("failed")) {
      throw new BenchException(
          (answer == null ? "a process has ended" : "a command of a peer " + answer) + logTail());
    }
    return answer;
  }

  /** The end of the log, which is removed with the run's folder. */
  String logTail() throws IOException {
    List<String> lines = Files.readAllLines(log);
    return System.lineSeparator()
        + String.join(
            System.lineSeparator(),
            lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size()));
  }

  /** Ends it as {@code kill -9} does. */
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  /** Asks it to stop, waits, and kills it when it does not. */
  @Override
  public void close() throws InterruptedException {
    process.destroy();
    if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
      kill();
    }
  }
}
