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

  private final ScheduledExecutorService thread;

  private ProblemReporter(ScheduledExecutorService thread) {
    this.thread = thread;
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
    ProblemLines said = new ProblemLines(role, lines);
    ScheduledExecutorService thread =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("tidemark-problems").daemon().factory());
    var unused =
        thread.scheduleWithFixedDelay(
            () -> said.observe(problem.get()), 0, INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
    return new ProblemReporter(thread);
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
