package dev.tidemark.gateway.ops;

import dev.tidemark.gateway.RoleReport;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks one component how it is: at most one question at a time, and one answer kept for a while, so
 * that anybody may ask often and a component that hangs holds up nobody. Thread-safe.
 */
final class Probe {

  private static final Logger LOG = LoggerFactory.getLogger(Probe.class);
  private static final Executor THREADS =
      task -> Thread.ofVirtual().name("health-probe").start(task);
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  private final String name;
  private final Supplier<RoleReport.State> question;
  private final long keepNanos;
  private @Nullable CompletableFuture<RoleReport.State> answer;
  private long askedAt;

  /**
   * A probe that has not asked yet.
   *
   * @param keep how long an answer is passed on before the question is asked again
   */
  Probe(String name, Duration keep, Supplier<RoleReport.State> question) {
    this.name = name;
    this.question = question;
    this.keepNanos = keep.toNanos();
  }

  String name() {
    return name;
  }

  /** Asks, unless an answer is kept or awaited. */
  void ask() {
    current();
  }

  /** The state; waits a second at most. */
  RoleReport.State state() {
    try {
      return current().get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      return RoleReport.State.failed("does not answer within " + PATIENCE.toMillis() + " ms");
    } catch (ExecutionException e) {
      LOG.atWarn().addKeyValue("component", name).log("a health question failed");
      return RoleReport.State.failed("could not be asked");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return RoleReport.State.failed("was not asked, for the gateway stops");
    }
  }

  private synchronized CompletableFuture<RoleReport.State> current() {
    CompletableFuture<RoleReport.State> last = answer;
    if (last != null && (!last.isDone() || System.nanoTime() - askedAt < keepNanos)) {
      return last;
    }
    askedAt = System.nanoTime();
    CompletableFuture<RoleReport.State> next = CompletableFuture.supplyAsync(question, THREADS);
    answer = next;
    return next;
  }
}
