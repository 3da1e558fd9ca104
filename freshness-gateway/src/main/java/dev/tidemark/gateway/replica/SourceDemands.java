package dev.tidemark.gateway.replica;

import dev.tidemark.gateway.db.Database;
import dev.tidemark.gateway.db.SqlFailures;
import dev.tidemark.gateway.problem.Failures;
import dev.tidemark.gateway.problem.Problem;
import dev.tidemark.gateway.problem.ProblemException;
import dev.tidemark.gateway.problem.ProblemKind;
import dev.tidemark.gateway.sync.Nudge;
import dev.tidemark.gateway.sync.SourcePosition;
import dev.tidemark.gateway.sync.SourceSampler;
import dev.tidemark.topics.Lsn;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What gated reads want of the source: which position their terms come down to, whether a position
 * exists, and that an idle log moves on to it. In the normal case nothing is asked. Thread-safe.
 */
final class SourceDemands {

  private static final Logger LOG = LoggerFactory.getLogger(SourceDemands.class);

  /** How long an answer waits for the source, unless it was asked for the source's position. */
  private static final Duration PATIENCE = Duration.ofMillis(250);

  /** How long the source is left alone when it did not answer in that time. */
  private static final Duration SILENT = Duration.ofSeconds(1);

  /** How long {@code latest} waits; more than the source's own limits. */
  private static final Duration LATEST = Duration.ofSeconds(30);

  private static final Executor THREADS =
      task -> Thread.ofVirtual().name("source-question").start(task);

  private final Database source;
  private final SourcePosition position;
  private final SourceSampler sampler;
  private final Nudge nudge;
  private final ReadMetrics metrics;

  /**
   * When the source last left a question open, in {@code nanoTime}: for a second only one read asks
   * it, unless it has answered somebody since.
   */
  private volatile long silentAt = System.nanoTime() - SILENT.toNanos();

  SourceDemands(
      Database source,
      SourcePosition position,
      SourceSampler sampler,
      Nudge nudge,
      ReadMetrics metrics) {
    this.source = source;
    this.position = position;
    this.sampler = sampler;
    this.nudge = nudge;
    this.metrics = metrics;
  }

  /**
   * The position.
   *
   * @throws ProblemException when {@code latest} is demanded and the source does not answer
   */
  Demanded of(ReadTerms terms) throws InterruptedException {
    Optional<Lsn> named = Optional.empty();
    if (terms.required().isPresent()) {
      RequiredPosition required = terms.required().get();
      named =
          Optional.of(
              required.latest() ? latest(terms.arrivedAt()).max(required.lsn()) : required.lsn());
    }
    if (terms.staleness().isPresent()) {
      sampler.demanded();
      Optional<Lsn> fresh = sampled(terms.arrivedAt() - terms.staleness().get().toNanos());
      if (fresh.isEmpty()) {
        return new Demanded.Unknown();
      }
      named = Optional.of(named.orElse(Lsn.ZERO).max(fresh.get()));
    }
    return named.<Demanded>map(Demanded.Position::new).orElseGet(Demanded.Nothing::new);
  }

  private Lsn latest(long arrivedAt) throws InterruptedException {
    try {
      return sampler.ask(arrivedAt).get(LATEST.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof SQLException failure
          ? SqlFailures.answer(source, failure)
          : Failures.internal(e).exception();
    } catch (TimeoutException e) {
      throw SqlFailures.answer(source, new SQLTransientConnectionException("the source is silent"));
    }
  }

  /** What lies behind everything that was committed before the time; empty when nobody knows. */
  private Optional<Lsn> sampled(long since) throws InterruptedException {
    Optional<Lsn> remembered = position.notBefore(since);
    if (remembered.isPresent() || isSilent()) {
      return remembered;
    }
    try {
      return Optional.of(sampler.ask(since).get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS));
    } catch (TimeoutException e) {
      silent();
    } catch (ExecutionException e) {
      LOG.atDebug().log("the source could not be asked where its log ends");
    }
    return Optional.empty();
  }

  private boolean isSilent() {
    long since = silentAt;
    return System.nanoTime() - since < SILENT.toNanos() && position.notBefore(since).isEmpty();
  }

  private void silent() {
    silentAt = System.nanoTime();
    LOG.atDebug().log("the source did not answer at once");
  }

  /**
   * Refuses a position that no log can reach, and moves the log when the source is idle. A source
   * that does not answer at once delays nobody: the replica may get there without it.
   *
   * @throws ProblemException 409 when the source's log does not reach the position
   */
  void makeReachable(Lsn required) throws InterruptedException {
    if (position.known(required)) {
      nudge.request(required);
      return;
    }
    if (isSilent()) {
      return;
    }
    CompletableFuture<Boolean> asked =
        CompletableFuture.supplyAsync(() -> existsAndIsNudged(required), THREADS);
    try {
      if (!asked.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
        metrics.beyondSource();
        throw beyondSource(required);
      }
    } catch (TimeoutException e) {
      silent();
    } catch (ExecutionException e) {
      throw Failures.internal(e).exception();
    }
  }

  private boolean existsAndIsNudged(Lsn required) {
    try {
      if (!position.exists(required)) {
        return false;
      }
      nudge.request(required);
    } catch (SQLException e) {
      LOG.atDebug()
          .addKeyValue("sqlState", SqlFailures.state(e))
          .log("the source could not be asked whether it has a position");
    }
    return true;
  }

  private static ProblemException beyondSource(Lsn required) {
    return Problem.of(
            ProblemKind.POSITION_BEYOND_SOURCE,
            "The source's log does not reach this position, so it was not given by this source, or"
                + " the source has lost it. Read the document from the source, or write it again.")
        .with("requiredLsn", required.toString())
        .exception();
  }
}
