package dev.tidemark.topics.schema;

import dev.tidemark.topics.route.RouteFile;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** The plans of a route file for a person to read. Nothing is run. */
public final class RoutePlans {

  private RoutePlans() {}

  /**
   * The plans for databases that Tidemark has never used. What only the source's catalog knows is
   * marked by a comment in the SQL.
   */
  public static List<Plan> offline(RouteFile file) {
    return List.of(
        SourcePlan.of(file, List.of(), SourceCatalog.unknown()),
        ReplicaPlan.of(
            file,
            file.routes().stream().map(ReplicaTable::unresolved).toList(),
            ReplicaCatalog.empty()));
  }

  /**
   * The plans for databases as they are.
   *
   * @param replica empty for a replica database that Tidemark has never used
   * @throws PlanException when the routes do not fit the databases
   */
  public static List<Plan> online(RouteFile file, Connection source, Optional<Connection> replica)
      throws SQLException {
    SourceCatalog catalog = new CatalogReader(source).source(file);
    List<ResolvedRoute> routes = RouteResolver.resolve(file, catalog);
    ReplicaCatalog replicaCatalog =
        replica.isPresent()
            ? new CatalogReader(replica.get()).replica(file)
            : ReplicaCatalog.empty();
    return List.of(
        SourcePlan.of(file, routes, catalog),
        ReplicaPlan.of(file, routes.stream().map(ReplicaTable::of).toList(), replicaCatalog));
  }
}
