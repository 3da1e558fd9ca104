package dev.tidemark.projector.row;

import dev.tidemark.topics.log.Change;
import dev.tidemark.topics.log.Relation;
import dev.tidemark.topics.route.Route;
import dev.tidemark.topics.route.RouteFile;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Turns the changes of one partition into operations on its replica rows. Not thread-safe; one for
 * each partition.
 */
public final class RowMapper {

  private final RouteFile routes;
  private final Map<String, ReplicaTable> tables;
  private final int partition;
  private final Map<Relation, List<RoutePlan>> plans = new HashMap<>();

  /**
   * @param tables the replica tables by target, one for each route
   * @param partition whose changes these are
   */
  public RowMapper(RouteFile routes, Map<String, ReplicaTable> tables, int partition) {
    this.routes = routes;
    this.tables = Map.copyOf(tables);
    this.partition = partition;
  }

  /**
   * What the change means, in order.
   *
   * @throws RowException when it does not fit a route
   */
  public List<RowOperation> operations(Change change) {
    List<RowOperation> operations = new ArrayList<>();
    for (RoutePlan plan : plans.computeIfAbsent(change.relation(), this::plan)) {
      plan.operation(change).ifPresent(operations::add);
    }
    return operations;
  }

  private List<RoutePlan> plan(Relation relation) {
    List<RoutePlan> plan = new ArrayList<>();
    for (Route route : routes.routes()) {
      ReplicaTable table = tables.get(route.target());
      if (table != null && RoutePlan.feeds(route, relation, routes.documents())) {
        plan.add(new RoutePlan(route, table, relation, partition, routes.partitions()));
      }
    }
    return plan;
  }
}
