package dev.tidemark.topics.schema;

import dev.tidemark.topics.route.ColumnMapping;
import dev.tidemark.topics.route.ColumnType;
import dev.tidemark.topics.route.DocumentRoute;
import dev.tidemark.topics.route.Route;
import dev.tidemark.topics.route.RouteFile;
import dev.tidemark.topics.route.SourcePath;
import dev.tidemark.topics.route.TableName;
import dev.tidemark.topics.route.TableRoute;
import dev.tidemark.topics.route.Transform;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Checks routes against the source's catalog, and finds out what their replica tables look like.
 */
public final class RouteResolver {

  private static final ResolvedColumn DOCUMENT_NAME =
      new ResolvedColumn("name", new SourcePath(List.of("name")), Transform.NONE, ColumnType.TEXT);

  private RouteResolver() {}

  /**
   * Resolves all routes. The document table may be missing: the source plan creates it.
   *
   * @return in the order of the file
   * @throws PlanException with every problem of every route
   */
  public static List<ResolvedRoute> resolve(RouteFile file, SourceCatalog catalog) {
    List<String> problems = new ArrayList<>();
    catalog.table(file.documents()).map(DocumentTable::problems).ifPresent(problems::addAll);
    List<ResolvedRoute> resolved = new ArrayList<>();
    for (Route route : file.routes()) {
      switch (route) {
        case DocumentRoute document -> resolved.add(resolve(document));
        case TableRoute table -> resolve(table, file, catalog, problems).ifPresent(resolved::add);
      }
    }
    overlaps(catalog, problems);
    if (!problems.isEmpty()) {
      throw new PlanException(problems);
    }
    return List.copyOf(resolved);
  }

  /** PostgreSQL publishes a row under the topmost published table, and under that alone. */
  private static void overlaps(SourceCatalog catalog, List<String> problems) {
    Map<TableName, TableName> roots = new TreeMap<>(Comparator.comparing(TableName::toString));
    catalog
        .tables()
        .forEach(
            (root, table) ->
                table.leaves().stream()
                    .filter(leaf -> catalog.tables().containsKey(leaf.name()))
                    .forEach(leaf -> roots.put(leaf.name(), root)));
    roots.forEach(
        (leaf, root) ->
            problems.add(
                ("%s is a partition of %s, and both have routes; its changes are published as those"
                        + " of %s alone: remove one of the routes")
                    .formatted(leaf, root, root)));
  }

  private static Optional<ResolvedRoute> resolve(
      TableRoute route, RouteFile file, SourceCatalog catalog, List<String> problems) {
    TableRouteResolver resolver = new TableRouteResolver(route, problems);
    Optional<TableInfo> table = catalog.table(route.table());
    if (table.isPresent()) {
      return resolver.resolve(table.get());
    }
    resolver.report(
        route.table().equals(file.documents())
            ? "the document table %s does not exist yet; migrate without this route once"
                .formatted(route.table())
            : "table %s does not exist on the source; create it, or remove the route"
                .formatted(route.table()));
    return Optional.empty();
  }

  /** A document route needs no catalog. */
  static ResolvedRoute resolve(DocumentRoute route) {
    return new ResolvedRoute(
        route,
        List.of(DOCUMENT_NAME),
        route.columns().stream().map(column -> resolve(column, ColumnType.TEXT)).toList());
  }

  static ResolvedColumn resolve(ColumnMapping column, ColumnType undeclared) {
    return new ResolvedColumn(
        column.name(), column.from(), column.transform(), column.type().orElse(undeclared));
  }
}
