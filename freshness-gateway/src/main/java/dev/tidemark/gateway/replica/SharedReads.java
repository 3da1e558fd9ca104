package dev.tidemark.gateway.replica;

import dev.tidemark.topics.Lsn;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;

/**
 * Reads for requests that were woken together. One watermark may wake thousands, many of them with
 * the same question: those share one query, as long as it has not begun. So every request is served
 * by a query that began after it was woken, and a request judges by its own position whether what
 * came is enough for it.
 *
 * <p>What is shared is the same for all: the table, the rows asked for, and the tenant.
 * Thread-safe.
 */
final class SharedReads {

  private final ReplicaReader reader;
  private final ConcurrentHashMap<Key, Flight> boarding = new ConcurrentHashMap<>();

  SharedReads(ReplicaReader reader) {
    this.reader = reader;
  }

  /** The very table: after a reload of the catalog its columns may be others. */
  private record Key(ReplicaTable table, ReadRequest request, String tenant) {

    @Override
    public boolean equals(Object other) {
      return other instanceof Key key
          && key.table == table
          && key.tenant.equals(tenant)
          && key.request.equals(request);
    }

    @Override
    public int hashCode() {
      return request.hashCode() * 31 + tenant.hashCode();
    }
  }

  /** A query that has not begun, or its result. */
  private static final class Flight {
    private final CompletableFuture<ReplicaReader.Page> page = new CompletableFuture<>();
    private volatile Lsn least;

    Flight(Lsn least) {
      this.least = least;
    }

    /** Within the map's computation, so before the departure or not at all. */
    Flight board(Lsn required) {
      if (least.isAfter(required)) {
        least = required;
      }
      return this;
    }
  }

  /**
   * Reads, alone or with others.
   *
   * @param required rows come when the watermark has reached it; they may come below it, too
   * @param turn how long to wait for a connection
   */
  ReplicaReader.Page read(
      ReplicaTable table,
      ReadRequest request,
      String tenant,
      int partition,
      Lsn required,
      Duration turn)
      throws SQLException, InterruptedException {
    Key key = new Key(table, request, tenant);
    long until = System.nanoTime() + turn.toNanos();
    while (true) {
      Duration left = Duration.ofNanos(until - System.nanoTime());
      Flight own = new Flight(required);
      Flight flight =
          boarding.compute(key, (same, there) -> there == null ? own : there.board(required));
      if (flight == own) {
        return fly(key, own, partition, left);
      }
      try {
        return flight.page.get();
      } catch (ExecutionException e) {
        // Whoever began this query may have had less time than is left here.
        if (!(e.getCause() instanceof SQLTransientConnectionException)
            || System.nanoTime() - until >= 0) {
          throw failure(e);
        }
      }
    }
  }

  private ReplicaReader.Page fly(Key key, Flight own, int partition, Duration turn)
      throws SQLException {
    try {
      ReplicaReader.Page page =
          reader.read(
              key.table(), key.request(), key.tenant(), partition, () -> depart(key, own), turn);
      own.page.complete(page);
      return page;
    } catch (SQLException | RuntimeException e) {
      boarding.remove(key, own);
      own.page.completeExceptionally(e);
      throw e;
    }
  }

  private Lsn depart(Key key, Flight own) {
    boarding.remove(key, own);
    return own.least;
  }

  private static SQLException failure(ExecutionException e) throws SQLException {
    if (e.getCause() instanceof SQLException known) {
      throw known;
    }
    throw new IllegalStateException("a shared read failed", e.getCause());
  }
}
