package dev.tidemark.projector.replica;

import dev.tidemark.projector.row.RoutePlan;
import dev.tidemark.projector.row.RowException;
import dev.tidemark.projector.row.RowKey;
import dev.tidemark.projector.row.RowMapper;
import dev.tidemark.projector.tables.Envelope;
import dev.tidemark.topics.Lsn;
import dev.tidemark.topics.log.Change;
import dev.tidemark.topics.log.LogRecord;
import dev.tidemark.topics.route.ErrorPolicy;
import dev.tidemark.topics.route.RouteFile;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Writes changes to the replica tables of their routes: all of them at once, or, where that failed,
 * one by one, so that the one that cannot be written is known and its route's policy holds for it
 * alone. Not thread-safe.
 */
final class ChangeWriter {

  private final RouteFile routes;
  private final RowMapper mapper;
  private final Replica replica;

  ChangeWriter(RouteFile routes, int partition, Replica replica) {
    this.routes = routes;
    this.mapper = new RowMapper(routes, replica.tables(), partition);
    this.replica = replica;
  }

  /**
   * Where changes come from.
   *
   * @param lsn what the rows get as their position
   */
  private record Origin(LogRecord logRecord, long offset, Lsn lsn) {

    int generation() {
      return logRecord.generation();
    }

    Envelope.Origin envelope(String pipeline, Change change) {
      return logRecord instanceof LogRecord.TransactionPart part
          ? new Envelope.Origin(
              pipeline, part.xid(), part.commitLsn().orElse(change.lsn()), part.commitTime())
          : new Envelope.Origin(pipeline, null, change.lsn(), Instant.EPOCH);
    }
  }

  /** Writes all of the record's changes. */
  void write(List<Change> changes, LogRecord logRecord, Lsn lsn) throws SQLException {
    for (Change change : changes) {
      for (RoutePlan plan : mapper.plans(change.relation())) {
        write(plan, change, lsn, logRecord.generation());
      }
    }
  }

  private void write(RoutePlan plan, Change change, Lsn lsn, int generation) throws SQLException {
    var operation = plan.operation(change);
    if (operation.isPresent()) {
      replica.execute(operation.get(), lsn, generation);
    }
  }

  /**
   * Writes one after the other, and sets aside what a route's policy lets it.
   *
   * @throws ChangeException for the first one that cannot be written and must not be set aside
   */
  void writeEach(List<Change> changes, LogRecord logRecord, long offset, Lsn lsn)
      throws SQLException {
    Origin origin = new Origin(logRecord, offset, lsn);
    for (Change change : changes) {
      for (RoutePlan plan : mapper.plans(change.relation())) {
        writeOne(plan, change, origin);
      }
    }
  }

  private void writeOne(RoutePlan plan, Change change, Origin origin) throws SQLException {
    Replica.Point before = replica.savepoint();
    try {
      write(plan, change, origin.lsn(), origin.generation());
      replica.flush();
    } catch (SQLException | RowException e) {
      if (!DataFaults.isAboutData(e)) {
        throw e;
      }
      replica.undo(before);
      refused(plan, change, origin, e);
    }
    replica.release(before);
  }

  private void refused(RoutePlan plan, Change change, Origin origin, Exception cause)
      throws SQLException {
    String target = plan.table().target();
    Optional<RowKey> key = key(plan, change);
    if (key.isEmpty() || routes.policy(target) == ErrorPolicy.STOP) {
      throw new ChangeException(
          new Stop(
              "offset %d, change at %s of %s: route %s: %s"
                  .formatted(
                      origin.offset(),
                      change.lsn(),
                      change.relation().table(),
                      target,
                      DataFaults.reason(cause)),
              key.map(RowKey::describe).orElse(null)),
          cause);
    }
    Optional<RowKey> old = plan.oldKey(change);
    if (old.isPresent()) {
      replica.remove(old.get());
    }
    Optional<RowKey> now = plan.newKey(change);
    if (now.isPresent()) {
      replica.remove(now.get());
      replica.quarantine(quarantined(now.get(), change, origin, DataFaults.reason(cause)));
    }
  }

  /** A key that cannot be read itself names no row. */
  private static Optional<RowKey> key(RoutePlan plan, Change change) {
    try {
      return plan.newKey(change).or(() -> plan.oldKey(change));
    } catch (RowException e) {
      return Optional.empty();
    }
  }

  private Quarantined quarantined(RowKey key, Change change, Origin origin, String reason) {
    String letter =
        switch (change.operation()) {
          case SNAPSHOT -> "r";
          case INSERT -> "c";
          case UPDATE -> "u";
          case DELETE -> "d";
          case TRUNCATE -> "t";
        };
    byte[] envelope =
        Envelope.value(
            letter,
            change,
            change.before(),
            change.after(),
            origin.envelope(routes.pipeline(), change));
    return new Quarantined(
        key,
        reason,
        letter,
        new String(envelope, StandardCharsets.UTF_8),
        origin.lsn(),
        origin.generation(),
        origin.offset());
  }
}
