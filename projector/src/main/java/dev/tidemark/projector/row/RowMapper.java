package dev.tidemark.projector.row;

import dev.tidemark.topics.log.Relation;
import dev.tidemark.topics.route.Route;
import dev.tidemark.topics.route.RouteFile;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Knows the routes of the changes of one partition. Not thread-safe; one for each partition. */
public final class RowMapper {

  private final RouteFile routes;
  private final Map<String, ReplicaTable> tables;
  private final int partition;
  private final Map<Relation, List<RoutePlan>> plans = new HashMap<>();
  private @Nullable Relation last;
  private List<RoutePlan> lastPlans = List.of();

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
   * How the relation's rows become rows of replica tables: none when no route reads it.
   *
   * @throws RowException when it does not fit a route
   */
  @SuppressWarnings("ReferenceEquality") // the changes of one record share it
  public List<RoutePlan> plans(Relation relation) {
    if (relation != last) {
      lastPlans = plans.computeIfAbsent(relation, this::plan);
      last = relation;
    }
    return lastPlans;
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
