package dev.tidemark.tests.bench.system;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * A process of the bench. Its standard input stays open as long as it is wanted: the bench's own
 * programs end when it is closed, also when the bench was killed.
 */
final class ChildProcess implements AutoCloseable {

  private static final int STOP_SECONDS = 40;

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
  static ChildProcess start(ProcessBuilder builder, Path log) throws IOException {
    return new ChildProcess(
        builder.redirectErrorStream(true).redirectOutput(Redirect.appendTo(log.toFile())).start(),
        log);
  }

  /** Starts one that answers each line of its input by lines of its output. */
  static ChildProcess startTalking(ProcessBuilder builder, Path log) throws IOException {
    return new ChildProcess(builder.redirectError(Redirect.appendTo(log.toFile())).start(), log);
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
   * Sends a line and reads the answer.
   *
   * @throws BenchException when the process has ended
   */
  synchronized String ask(String line) throws IOException {
    input.write(line + "\n");
    input.flush();
    return nextLine();
  }

  /** A further line of the last answer. */
  synchronized String nextLine() throws IOException {
    String answer = output.readLine();
    if (answer == null) {
      throw new BenchException("a process has ended; its log is " + log);
    }
    return answer;
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
