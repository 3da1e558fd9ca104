package dev.tidemark.gateway.replica;

import dev.tidemark.gateway.db.Database;
import dev.tidemark.gateway.db.SqlFailures;
import dev.tidemark.gateway.problem.Problem;
import dev.tidemark.gateway.problem.ProblemException;
import dev.tidemark.gateway.problem.ProblemKind;
import dev.tidemark.gateway.sync.Nudge;
import dev.tidemark.gateway.sync.SourcePosition;
import dev.tidemark.gateway.sync.SourceSampler;
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
import java.util.concurrent.Semaphore;

/**
 * Serves reads through the gate. In the normal case a read is one statement on the replica, also
 * when it waits: a wait begins without a query when the watermark is known to be too low, and ends
 * with one. Only while the gate is shut does it look at the source, and only once per new position.
 * Thread-safe.
 */
public final class GatedReads {

  /** Between two looks when the gate is shut for another reason than the watermark: the first. */
  private static final Duration RECHECK = Duration.ofMillis(50);

  /** The longest of these pauses; each is twice the one before. */
  private static final Duration LONGEST_RECHECK = Duration.ofSeconds(1);

  /** The hint when the source does not say what position is needed. */
  private static final int UNKNOWN_RETRY_MS = 1_000;

  /** Undefined column, table or operator; datatype mismatch: the catalog was read too long ago. */
  private static final Set<String> STALE = Set.of("42703", "42P01", "42883", "42804");

  private final RouteFile routes;
  private final Database replica;
  private final SharedReads shared;
  private final Watermarks watermarks;
  private final WatermarkBoard board;
  private final SourcePosition position;
  private final SourceDemands demands;
  private final ReadMetrics metrics;
  private final Semaphore parking;

  /**
   * Serves reads of one pipeline.
   *
   * @param parked how many reads may wait at once; any more are answered at once
   */
  public GatedReads(
      RouteFile routes,
      Database source,
      Database replica,
      Watermarks watermarks,
      WatermarkBoard board,
      SourcePosition position,
      SourceSampler sampler,
      Nudge nudge,
      ReadMetrics metrics,
      int parked) {
    this.routes = routes;
    this.replica = replica;
    this.shared = new SharedReads(new ReplicaReader(replica, routes.pipeline()));
    this.watermarks = watermarks;
    this.board = board;
    this.position = position;
    this.demands = new SourceDemands(source, position, sampler, nudge, metrics);
    this.metrics = metrics;
    this.parking = new Semaphore(parked);
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

    /**
     * The watermark has not come that far; no rows.
     *
     * @param required empty when only the source could tell, and it does not
     * @param retryAfterMs when it is worth asking again
     */
    record Pending(Optional<Lsn> required, Lsn replicated, int retryAfterMs) implements Outcome {}
  }

  /** The columns that a request was made for are no longer those of the table. */
  public static final class StaleCatalogException extends Exception {
    private static final long serialVersionUID = 1L;

    StaleCatalogException(SQLException cause) {
      super("a replica table has other columns than the catalog had when it was read", cause);
    }
  }

  /**
   * Reads rows of a table for a tenant.
   *
   * @param client one that has gone waits no more
   */
  public Outcome read(
      ReplicaTable table, ReadRequest request, String tenant, ReadTerms terms, Client client)
      throws StaleCatalogException, InterruptedException {
    String bound = table.tenantBound() ? tenant : Tenants.SHARED;
    return new Read(table, request, bound, terms, client).run();
  }

  /** One read on its way; used by one thread. */
  private final class Read {
    private final ReplicaReader.Scope scope;
    private final ReadRequest request;
    private final ReadTerms terms;
    private final Client client;
    private final int partition;
    private Demanded demanded = new Demanded.Nothing();
    private boolean reachable;
    private boolean waited;

    Read(ReplicaTable table, ReadRequest request, String tenant, ReadTerms terms, Client client) {
      this.partition = Tenants.partition(tenant, routes.partitions());
      this.scope = new ReplicaReader.Scope(table, tenant, partition);
      this.request = request;
      this.terms = terms;
      this.client = client;
    }

    Outcome run() throws StaleCatalogException, InterruptedException {
      demanded = demands.of(terms);
      for (int attempt = 0; ; attempt++) {
        if (demanded instanceof Demanded.Unknown && attempt > 0) {
          demanded = demands.of(terms);
        }
        if ((attempt > 0 || terms.left().isPositive()) && isKnownToBeShut() && !park()) {
          return pending(board.heard(partition));
        }
        ReplicaReader.Page page = look();
        switch (decide(page.sight())) {
          case OPEN -> {
            return served(page);
          }
          case NOT_READY -> throw notReady();
          default -> {
            makeReachable();
            if (!terms.left().isPositive() || board.closed() || client.gone()) {
              return pending(page.sight().lsn());
            }
            if (!isKnownToBeShut()) {
              pause(attempt);
            }
          }
        }
      }
    }

    /** Without a query. A history that may be another one must be looked at. */
    private boolean isKnownToBeShut() {
      return demanded instanceof Demanded.Position at
          && board.below(partition, at.lsn())
          && terms
              .history()
              .map(name -> board.state(partition).filter(s -> s.history().equals(name)).isPresent())
              .orElse(true);
    }

    /**
     * Waits without a connection.
     *
     * @return false when the time is over and the gate is still known to be shut, when too many
     *     wait already, or when the client has gone
     */
    private boolean park() throws InterruptedException {
      makeReachable();
      Lsn required = demanded.gate().orElseThrow();
      Duration left = terms.left();
      if (left.isPositive() && !board.closed()) {
        if (!parking.tryAcquire()) {
          metrics.turnedAway();
          return false;
        }
        waited = true;
        try {
          WatermarkBoard.Ending ending =
              metrics.timed(() -> board.await(partition, required, left, client::gone));
          if (ending == WatermarkBoard.Ending.CLIENT_GONE) {
            return false;
          }
        } finally {
          parking.release();
        }
      }
      return !isKnownToBeShut();
    }

    private void makeReachable() throws InterruptedException {
      if (!reachable && demanded instanceof Demanded.Position at) {
        demands.makeReachable(at.lsn());
        reachable = true;
      }
    }

    private void pause(int attempt) throws InterruptedException {
      Duration pause = RECHECK.multipliedBy(1L << Math.min(attempt, 5));
      Duration longest =
          LONGEST_RECHECK.compareTo(terms.left()) < 0 ? LONGEST_RECHECK : terms.left();
      waited = true;
      Thread.sleep(pause.compareTo(longest) < 0 ? pause : longest);
    }

    private ReplicaReader.Page look() throws StaleCatalogException, InterruptedException {
      Lsn required = demanded.gate().orElse(Lsn.ZERO);
      try {
        // Its patience is for its turn, too, and what every read has on top.
        Duration left = terms.left();
        Duration turn = left.isPositive() ? Database.TURN.plus(left) : Database.TURN;
        return shared.read(scope, request, required, turn);
      } catch (SQLException e) {
        throw failure(e);
      }
    }

    private RuntimeException failure(SQLException e) throws StaleCatalogException {
      if (STALE.contains(SqlFailures.state(e))) {
        throw new StaleCatalogException(e);
      }
      if (SqlFailures.badValue(e)) {
        return Problem.of(
                ProblemKind.BAD_VALUE,
                "A value in the query is not of its column's type. Send it as PostgreSQL writes"
                    + " it.")
            .exception();
      }
      return SqlFailures.answer(replica, e);
    }

    /** Tells a history that this partition has yet to enter from one that is over or unknown. */
    private Gate.Decision decide(Gate.Sight sight) {
      Gate.Demand demand = new Gate.Demand(demanded.gate(), terms.history(), terms.ofTheSource());
      Gate.Decision decision = Gate.decide(sight, demand, position::writes);
      if (decision != Gate.Decision.OTHER_HISTORY || isStillToCome(sight)) {
        return decision == Gate.Decision.OTHER_HISTORY ? Gate.Decision.PENDING : decision;
      }
      metrics.historyChanged();
      throw Problem.of(
              ProblemKind.HISTORY_CHANGED,
              "The source's log has been started anew since this position was given, so it can't"
                  + " be compared any more. Read the document from the source, or write it again.")
          .with("currentGeneration", sight.history())
          .exception();
    }

    private boolean isStillToCome(Gate.Sight sight) {
      try {
        OptionalInt generation = watermarks.generationOf(terms.history().orElseThrow());
        return generation.isPresent() && generation.getAsInt() > sight.generation();
      } catch (SQLException e) {
        throw SqlFailures.answer(replica, e);
      }
    }

    private Outcome served(ReplicaReader.Page page) {
      if (terms.gated()) {
        metrics.opened(waited);
      }
      if (page.quarantined().isPresent() && request.isOfOneRow(scope.table())) {
        throw quarantined(page.sight().lsn());
      }
      return new Outcome.Served(page.sight().lsn(), page.rows(), page.next(), page.quarantined());
    }

    private Outcome pending(Lsn replicated) {
      if (!terms.gated()) {
        throw notReady();
      }
      metrics.pending();
      int retryAfterMs =
          demanded
              .known()
              .map(required -> board.retryAfterMs(partition, required))
              .orElse(UNKNOWN_RETRY_MS);
      return new Outcome.Pending(demanded.known(), replicated, retryAfterMs);
    }
  }

  private static ProblemException quarantined(Lsn replicated) {
    return Problem.of(
            ProblemKind.ROW_QUARANTINED,
            "The newest change of this row could not be written to the replica table and is set"
                + " aside; the operator finds the reason in tidemark_quarantine. Read the source;"
                + " a later write of the whole row brings it back.")
        .with("replicatedLsn", replicated.toString())
        .withHeader(ReplicaEndpoint.REPLICATED, replicated.toString())
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
