package dev.tidemark.standalone.role;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Says once what keeps a role from working when that changes, and once when it works again. The
 * thread that asks ends with {@link #close}.
 */
public final class ProblemReporter implements AutoCloseable {

  private static final Duration INTERVAL = Duration.ofSeconds(1);

  private final String role;
  private final Supplier<Optional<String>> problem;
  private final Consumer<String> lines;
  private final ScheduledExecutorService thread;
  private Optional<String> last = Optional.empty();

  private ProblemReporter(String role, Supplier<Optional<String>> problem, Consumer<String> lines) {
    this.role = role;
    this.problem = problem;
    this.lines = lines;
    this.thread =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("tidemark-problems").daemon().factory());
  }

  /**
   * Asks from now on, every second.
   *
   * @param role for the lines
   * @param problem what keeps the role from working; empty while all is well; thread-safe
   * @param lines takes the lines, on the reporter's own thread
   */
  public static ProblemReporter start(
      String role, Supplier<Optional<String>> problem, Consumer<String> lines) {
    ProblemReporter reporter = new ProblemReporter(role, problem, lines);
    var unused =
        reporter.thread.scheduleWithFixedDelay(
            reporter::ask, 0, INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
    return reporter;
  }

  private void ask() {
    Optional<String> now = problem.get();
    if (!now.equals(last)) {
      last = now;
      lines.accept(
          now.map(text -> "tidemark " + role + ": does not work: " + text)
              .orElse("tidemark " + role + ": works again"));
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
