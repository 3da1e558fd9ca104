package dev.tidemark.topics.schema;

import dev.tidemark.topics.route.Route;
import java.util.List;

/**
 * A route after the source's catalog was asked: what its replica table looks like.
 *
 * @param route the route
 * @param key the columns that identify a row within its tenant, in the key's order; one or more.
 *     Those that the route declares have its names and types
 * @param columns the declared columns, in the file's order; key columns may be among them
 */
public record ResolvedRoute(Route route, List<ResolvedColumn> key, List<ResolvedColumn> columns) {

  public ResolvedRoute {
    key = List.copyOf(key);
    columns = List.copyOf(columns);
  }
}
