package dev.tidemark.gateway.replica;

import dev.tidemark.gateway.db.SqlFailures;
import dev.tidemark.topics.Lsn;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Queries that several requests share. While a query is under way, those who come with the same
 * question wait for the next one together; and of one tenant and table also those who ask for other
 * rows by their keys. So a read that comes alone is a query of its own and waits for nobody, and
 * the more come at once, the fewer queries each of them costs: a few answer the thousands that
 * waited for a watermark. A query that takes long holds the next one up for {@link #AT_MOST} only.
 *
 * <p>Every request is served by a query that began after the request had come, and judges by its
 * own position whether what came is enough for it. What is shared is the same for all: the table
 * and the tenant. Thread-safe.
 */
final class SharedReads {

  private static final Logger LOG = LoggerFactory.getLogger(SharedReads.class);

  /** Rows that one query asks for by their keys. */
  private static final int MOST_KEYS = 256;

  /** How long a query waits for the end of the one before it. */
  private static final Duration AT_MOST = Duration.ofMillis(20);

  private final ReplicaReader reader;

  /** The newest query of each question that is under way or has yet to begin. */
  private final ConcurrentHashMap<Question, Flight> newest = new ConcurrentHashMap<>();

  SharedReads(ReplicaReader reader) {
    this.reader = reader;
  }

  /** What is the same for all who share a query. */
  private sealed interface Question {

    /** Some rows of a table by their keys. */
    record Rows(ReplicaReader.Scope scope) implements Question {}

    /** This very request. */
    record Same(ReplicaReader.Scope scope, ReadRequest request) implements Question {}
  }

  /** A query. All but its result is guarded by the map, and does not change when it has begun. */
  private static final class Flight {
    private final CompletableFuture<Map<String, ReplicaReader.Page>> pages =
        new CompletableFuture<>();
    private final Set<String> keys = new LinkedHashSet<>();
    private Lsn least;
    private @Nullable Flight before;
    private boolean begun;

    Flight(String key, Lsn least) {
      this.keys.add(key);
      this.least = least;
    }

    boolean board(String key, Lsn required) {
      if (begun || (keys.size() == MOST_KEYS && !keys.contains(key))) {
        return false;
      }
      keys.add(key);
      if (least.isAfter(required)) {
        least = required;
      }
      return true;
    }
  }

  /**
   * Reads, alone or with others.
   *
   * @param required rows come when the watermark has reached it; they may come below it, too
   * @param turn how long to wait for a connection
   */
  ReplicaReader.Page read(
      ReplicaReader.Scope scope, ReadRequest request, Lsn required, Duration turn)
      throws SQLException, InterruptedException {
    boolean ofKey = request.isOfKey(scope.table());
    Question question = ofKey ? new Question.Rows(scope) : new Question.Same(scope, request);
    String key = ofKey ? request.filters().getFirst().value() : "";
    long until = System.nanoTime() + turn.toNanos();
    while (true) {
      Flight own = new Flight(key, required);
      Flight flight = newest.compute(question, (same, there) -> boarded(there, own, key, required));
      if (flight == own) {
        fly(question, own, until);
      }
      try {
        return page(flight.pages.get(), key);
      } catch (ExecutionException e) {
        SQLException failure = failure(e);
        if (SqlFailures.badValue(failure) && flight.keys.size() > 1) {
          // Whose value it was is not known, so each is asked for by itself.
          return page(alone(question, key, required, until), key);
        }
        // Whoever began this query may have had less time than is left here.
        if (flight == own
            || !(failure instanceof SQLTransientConnectionException)
            || System.nanoTime() - until >= 0) {
          throw failure;
        }
      }
    }
  }

  private static Flight boarded(@Nullable Flight there, Flight own, String key, Lsn required) {
    if (there != null && there.board(key, required)) {
      return there;
    }
    own.before = there;
    return own;
  }

  private static void awaitTurn(Flight own) throws InterruptedException {
    Flight before = own.before;
    own.before = null;
    if (before != null) {
      try {
        before.pages.get(AT_MOST.toNanos(), TimeUnit.NANOSECONDS);
      } catch (ExecutionException | TimeoutException e) {
        LOG.atTrace().log("a query begins without the end of the one before it");
      }
    }
  }

  private static ReplicaReader.Page page(Map<String, ReplicaReader.Page> pages, String key) {
    ReplicaReader.Page page = pages.get(key);
    if (page == null) {
      throw new IllegalStateException("a query has left out a key that it was asked for");
    }
    return page;
  }

  private Map<String, ReplicaReader.Page> alone(
      Question question, String key, Lsn required, long until)
      throws SQLException, InterruptedException {
    Flight single = new Flight(key, required);
    fly(question, single, until);
    try {
      return single.pages.get();
    } catch (ExecutionException e) {
      throw failure(e);
    }
  }

  /** Completes the flight in any case: others wait for it. */
  private void fly(Question question, Flight own, long until) {
    try {
      awaitTurn(own);
      Duration turn = Duration.ofNanos(until - System.nanoTime());
      own.pages.complete(query(question, own, turn));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      own.pages.completeExceptionally(
          new SQLTransientConnectionException("interrupted while waiting for a query", e));
    } catch (SQLException | RuntimeException e) {
      own.pages.completeExceptionally(e);
    } finally {
      newest.remove(question, own);
      own.pages.completeExceptionally(new IllegalStateException("a query broke off"));
    }
  }

  private Map<String, ReplicaReader.Page> query(Question question, Flight own, Duration turn)
      throws SQLException {
    return switch (question) {
      case Question.Rows rows ->
          reader.rows(
              rows.scope(),
              () -> {
                begin(question, own);
                return new ReplicaReader.Keys(List.copyOf(own.keys), own.least);
              },
              turn);
      case Question.Same same ->
          Map.of(
              "",
              reader.read(
                  same.scope(),
                  same.request(),
                  () -> {
                    begin(question, own);
                    return own.least;
                  },
                  turn));
    };
  }

  /** From here on nobody boards. */
  private void begin(Question question, Flight own) {
    newest.computeIfPresent(
        question,
        (same, there) -> {
          own.begun |= there == own;
          return there;
        });
  }

  private static SQLException failure(ExecutionException e) {
    if (e.getCause() instanceof SQLException known) {
      return known;
    }
    throw new IllegalStateException("a shared read failed", e.getCause());
  }
}
