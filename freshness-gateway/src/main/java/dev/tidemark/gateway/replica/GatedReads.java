package dev.tidemark.gateway.replica;

import dev.tidemark.gateway.db.Database;
import dev.tidemark.gateway.db.SqlFailures;
import dev.tidemark.gateway.problem.Failures;
import dev.tidemark.gateway.problem.Problem;
import dev.tidemark.gateway.problem.ProblemException;
import dev.tidemark.gateway.problem.ProblemKind;
import dev.tidemark.gateway.sync.Nudge;
import dev.tidemark.gateway.sync.SourcePosition;
import dev.tidemark.gateway.sync.WatermarkBoard;
import dev.tidemark.gateway.sync.Watermarks;
import dev.tidemark.topics.Lsn;
import dev.tidemark.topics.Tenants;
import dev.tidemark.topics.route.RouteFile;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves reads through the gate. In the normal case a read is one statement on the replica. Only
 * while the gate is shut does it look at the source, and only once per new position. Thread-safe.
 */
public final class GatedReads {

  private static final Logger LOG = LoggerFactory.getLogger(GatedReads.class);

  /** Between two looks when the watermark is reached, but the gate is shut for another reason. */
  private static final Duration RECHECK = Duration.ofMillis(50);

  /** How long the answer waits for the source to say whether it has a position. */
  private static final Duration SOURCE_PATIENCE = Duration.ofMillis(250);

  /** How long it is left alone when it did not. */
  private static final Duration SOURCE_SILENT = Duration.ofSeconds(1);

  private static final Executor THREADS =
      task -> Thread.ofVirtual().name("source-question").start(task);

  /** Undefined column, table or operator; datatype mismatch: the catalog was read too long ago. */
  private static final Set<String> STALE = Set.of("42703", "42P01", "42883", "42804");

  private final RouteFile routes;
  private final Database source;
  private final Database replica;
  private final ReplicaReader reader;
  private final Watermarks watermarks;
  private final WatermarkBoard board;
  private final SourcePosition position;
  private final Nudge nudge;
  private final ReadMetrics metrics;

  /** In {@code nanoTime}; while the source is silent, only one read a second asks it. */
  private volatile long askSourceAt = System.nanoTime();

  public GatedReads(
      RouteFile routes,
      Database source,
      Database replica,
      Watermarks watermarks,
      WatermarkBoard board,
      SourcePosition position,
      Nudge nudge,
      ReadMetrics metrics) {
    this.routes = routes;
    this.source = source;
    this.replica = replica;
    this.reader = new ReplicaReader(replica, routes.pipeline());
    this.watermarks = watermarks;
    this.board = board;
    this.position = position;
    this.nudge = nudge;
    this.metrics = metrics;
  }

  /**
   * What a client demands.
   *
   * @param required from {@code X-Required-LSN}
   * @param history from {@code X-Required-Generation}
   * @param patience how long to wait for the watermark before answering that it is pending
   */
  public record Terms(
      Optional<RequiredPosition> required, Optional<String> history, Duration patience) {

    /** As it is, at once. */
    public static final Terms NONE = new Terms(Optional.empty(), Optional.empty(), Duration.ZERO);
  }

  /** How a read ended, when it did not end in a problem. */
  public sealed interface Outcome {

    /** The watermark that the answer is justified by. */
    Lsn replicated();

    /**
     * Rows that include everything up to the watermark.
     *
     * @param rows JSON objects
     * @param next where the next page begins
     * @param quarantined a JSON array of keys whose rows are missing, since their newest change
     *     could not be written
     */
    record Served(
        Lsn replicated, List<String> rows, Optional<Cursor> next, Optional<String> quarantined)
        implements Outcome {
      public Served {
        rows = List.copyOf(rows);
      }
    }

    /** The watermark has not come that far; no rows. */
    record Pending(Lsn required, Lsn replicated) implements Outcome {}
  }

  /** The columns that a request was made for are no longer those of the table. */
  public static final class StaleCatalogException extends Exception {
    private static final long serialVersionUID = 1L;

    StaleCatalogException(SQLException cause) {
      super("a replica table has other columns than the catalog had when it was read", cause);
    }
  }

  /** Reads rows of a table for a tenant. */
  public Outcome read(ReplicaTable table, ReadRequest request, String tenant, Terms terms)
      throws StaleCatalogException, InterruptedException {
    String bound = table.tenantBound() ? tenant : Tenants.SHARED;
    int partition = Tenants.partition(bound, routes.partitions());
    Optional<Lsn> required = terms.required().map(this::resolve);
    Gate.Demand demand = new Gate.Demand(required, terms.history());
    long deadline = System.nanoTime() + terms.patience().toNanos();
    for (int attempt = 0; ; attempt++) {
      ReplicaReader.Page page = readOnce(table, request, bound, partition, required);
      Gate.Decision decision = decide(page.sight(), demand);
      if (decision == Gate.Decision.OPEN) {
        if (required.isPresent()) {
          metrics.opened(attempt > 0);
        }
        if (page.quarantined().isPresent() && request.isOfOneRow(table)) {
          throw quarantined(page.sight().lsn());
        }
        return new Outcome.Served(page.sight().lsn(), page.rows(), page.next(), page.quarantined());
      }
      if (decision == Gate.Decision.NOT_READY || required.isEmpty()) {
        throw notReady();
      }
      if (attempt == 0) {
        if (position.known(required.get())) {
          nudge.request(required.get());
        } else {
          makeReachable(required.get());
        }
      }
      Duration left = Duration.ofNanos(deadline - System.nanoTime());
      if (!left.isPositive() || board.closed()) {
        metrics.pending();
        return new Outcome.Pending(required.get(), page.sight().lsn());
      }
      boolean reached = metrics.timed(() -> board.await(partition, required.get(), left));
      if (reached && attempt > 0) {
        Thread.sleep(left.compareTo(RECHECK) < 0 ? left : RECHECK);
      }
    }
  }

  private static ProblemException quarantined(Lsn replicated) {
    return Problem.of(
            ProblemKind.ROW_QUARANTINED,
            "The newest change of this row could not be written to the replica table and is set"
                + " aside; the operator finds the reason in tidemark_quarantine. Read the source;"
                + " a later write of the whole row brings it back.")
        .with("replicatedLsn", replicated.toString())
        .exception();
  }

  private Lsn resolve(RequiredPosition required) {
    if (!required.latest()) {
      return required.lsn();
    }
    try {
      return position.now().max(required.lsn());
    } catch (SQLException e) {
      throw SqlFailures.answer(source, e);
    }
  }

  private ReplicaReader.Page readOnce(
      ReplicaTable table, ReadRequest request, String tenant, int partition, Optional<Lsn> required)
      throws StaleCatalogException {
    try {
      return reader.read(table, request, tenant, partition, required);
    } catch (SQLException e) {
      if (STALE.contains(SqlFailures.state(e))) {
        throw new StaleCatalogException(e);
      }
      if (SqlFailures.badValue(e)) {
        throw Problem.of(
                ProblemKind.BAD_VALUE,
                "A value in the query is not of its column's type. Send it as PostgreSQL writes it.")
            .exception();
      }
      throw SqlFailures.answer(replica, e);
    }
  }

  /** Tells a history that this partition has yet to enter from one that is over or unknown. */
  private Gate.Decision decide(Gate.Sight sight, Gate.Demand demand) {
    Gate.Decision decision = Gate.decide(sight, demand);
    if (decision != Gate.Decision.OTHER_HISTORY) {
      return decision;
    }
    try {
      OptionalInt generation = watermarks.generationOf(demand.history().orElseThrow());
      if (generation.isPresent() && generation.getAsInt() > sight.generation()) {
        return Gate.Decision.PENDING;
      }
    } catch (SQLException e) {
      throw SqlFailures.answer(replica, e);
    }
    metrics.historyChanged();
    throw Problem.of(
            ProblemKind.HISTORY_CHANGED,
            "The source's log has been started anew since this position was given, so it can't be"
                + " compared any more. Read the document from the source, or write it again.")
        .with("currentGeneration", sight.history())
        .exception();
  }

  /**
   * Refuses a position that no log can reach, and moves the log when the source is idle. A source
   * that does not answer at once delays nobody: the replica may get there without it.
   */
  private void makeReachable(Lsn required) throws InterruptedException {
    if (System.nanoTime() - askSourceAt < 0) {
      return;
    }
    CompletableFuture<Boolean> asked =
        CompletableFuture.supplyAsync(() -> existsAndIsNudged(required), THREADS);
    try {
      if (!asked.get(SOURCE_PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
        metrics.beyondSource();
        throw beyondSource(required);
      }
    } catch (TimeoutException e) {
      askSourceAt = System.nanoTime() + SOURCE_SILENT.toNanos();
      LOG.atDebug().log("the source did not say at once whether it has a position");
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

  private static ProblemException notReady() {
    return Problem.of(
            ProblemKind.REPLICA_NOT_READY,
            "The rows of this table are still being copied for the first time. Try again, or read"
                + " the source.")
        .exception();
  }
}
