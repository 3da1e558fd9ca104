package dev.tidemark.projector.tables;

import dev.tidemark.projector.tables.Envelope.Origin;
import dev.tidemark.topics.Lsn;
import dev.tidemark.topics.Tenants;
import dev.tidemark.topics.log.Change;
import dev.tidemark.topics.log.Relation;
import dev.tidemark.topics.log.Tuple;
import dev.tidemark.topics.route.RouteFile;
import dev.tidemark.topics.route.TableName;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Turns the changes of one partition of the log into records of table topics. Pure but for the
 * envelope's clock.
 */
final class TableEvents {

  private final RouteFile routes;
  private final Set<TableName> routed;
  private final Map<TableName, Optional<String>> tenantColumns = new HashMap<>();
  private final int partition;

  /**
   * A record of a table topic.
   *
   * @param table whose topic it goes to
   * @param key the primary key as JSON, or null
   * @param value the envelope
   */
  @SuppressWarnings("ArrayRecordComponent") // handed on to Kafka at once, never compared
  record TableEvent(TableName table, byte @Nullable [] key, byte[] value, Lsn commitLsn) {}

  TableEvents(RouteFile routes, int partition) {
    this.routes = routes;
    this.routed = Set.copyOf(TablesTopology.routedTables(routes));
    this.partition = partition;
  }

  /**
   * The records for a change: none when it is another partition's to tell, two when it changed the
   * key, as Debezium tells it.
   */
  List<TableEvent> of(Change change, Origin origin) {
    if (!routed.contains(change.relation().table()) || !isOurs(change)) {
      return List.of();
    }
    Tuple before = change.before();
    Tuple after = change.after();
    return switch (change.operation()) {
      case SNAPSHOT -> List.of(event("r", change, null, after, origin));
      case INSERT -> List.of(event("c", change, null, after, origin));
      case DELETE -> List.of(event("d", change, before, null, origin));
      case TRUNCATE -> List.of(event("t", change, null, null, origin));
      case UPDATE ->
          before != null && after != null && !sameKey(change.relation(), before, after)
              ? List.of(
                  event("d", change, before, null, origin), event("c", change, null, after, origin))
              : List.of(event("u", change, before, after, origin));
    };
  }

  private static TableEvent event(
      String operation,
      Change change,
      @Nullable Tuple before,
      @Nullable Tuple after,
      Origin origin) {
    return new TableEvent(
        change.relation().table(),
        Envelope.key(change.relation(), after == null ? before : after),
        Envelope.value(operation, change, before, after, origin),
        origin.commitLsn());
  }

  /**
   * A row that moves between tenants is told by the partition that it moves to, a truncation by the
   * first.
   */
  private boolean isOurs(Change change) {
    if (change.operation() == Change.Operation.TRUNCATE) {
      return partition == 0;
    }
    Tuple row = change.after() == null ? change.before() : change.after();
    Optional<String> column =
        tenantColumns.computeIfAbsent(change.relation().table(), routes::tenantColumn);
    if (row == null) {
      return false;
    }
    String tenant =
        column.isEmpty() ? Tenants.SHARED : row.text(change.relation().index(column.get()));
    return Tenants.partition(tenant == null ? "" : tenant, routes.partitions()) == partition;
  }

  private static boolean sameKey(Relation relation, Tuple before, Tuple after) {
    for (int column : relation.key()) {
      if (!java.util.Objects.equals(before.text(column), after.text(column))) {
        return false;
      }
    }
    return true;
  }
}
