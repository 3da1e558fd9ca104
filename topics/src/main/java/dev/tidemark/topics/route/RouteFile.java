package dev.tidemark.topics.route;

import dev.tidemark.topics.Fingerprint;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.stream.Collectors;

/**
 * A checked route file: one pipeline, that is one slot, one publication, one log topic and one set
 * of routes.
 *
 * @param pipeline the name that topics and consumer groups are built from; the slot's name when the
 *     file has none
 * @param slot the logical replication slot
 * @param publication the publication
 * @param partitions partitions of the log topic, 1 to 1024
 * @param documents the document table, which document routes read
 * @param permissions by document type or table route's target; a name that is absent is open to
 *     every signed-in tenant
 * @param policies by target; one that is absent is {@link ErrorPolicy#STOP}
 * @param routes one or more
 */
public record RouteFile(
    String pipeline,
    String slot,
    String publication,
    int partitions,
    TableName documents,
    Map<String, Permission> permissions,
    Map<String, ErrorPolicy> policies,
    List<Route> routes) {

  /** The document table of a file that names none. */
  public static final TableName DEFAULT_DOCUMENTS = new TableName("public", "tidemark_doc");

  /** Partitions of a file that says nothing. */
  public static final int DEFAULT_PARTITIONS = 4;

  public RouteFile {
    permissions = Map.copyOf(permissions);
    policies = Map.copyOf(policies);
    routes = List.copyOf(routes);
  }

  /** The fingerprint of each route, by its replica table. */
  public Map<String, String> fingerprints() {
    return routes.stream().collect(Collectors.toMap(Route::target, Route::fingerprint));
  }

  /** The routes that are the same in a file of these {@link #fingerprints}. */
  public List<Route> alsoIn(Map<String, String> fingerprints) {
    return routes.stream()
        .filter(route -> route.fingerprint().equals(fingerprints.get(route.target())))
        .toList();
  }

  /** The route to a replica table. */
  public Optional<Route> route(String target) {
    return routes.stream().filter(route -> route.target().equals(target)).findFirst();
  }

  /**
   * The permission of a document type or table route; empty when it is open to every signed-in
   * tenant.
   */
  public Optional<Permission> permission(String name) {
    return Optional.ofNullable(permissions.get(name));
  }

  /** What happens to a change that cannot be written to the replica table. */
  public ErrorPolicy policy(String target) {
    return policies.getOrDefault(target, ErrorPolicy.STOP);
  }

  /**
   * The tables to publish and capture, each once, in the order of the file. The document table is
   * always among them, since the gateway writes documents of any type.
   */
  public SequencedSet<TableName> capturedTables() {
    SequencedSet<TableName> tables = new LinkedHashSet<>();
    tables.add(documents);
    for (Route route : routes) {
      if (route instanceof TableRoute table) {
        tables.add(table.table());
      }
    }
    return tables;
  }

  /**
   * The column that holds the tenant in a captured table; empty when all tenants share its rows.
   */
  public Optional<String> tenantColumn(TableName table) {
    if (table.equals(documents)) {
      return Optional.of("tenant_id");
    }
    return routes.stream()
        .filter(route -> route instanceof TableRoute candidate && candidate.table().equals(table))
        .findFirst()
        .flatMap(route -> ((TableRoute) route).tenant());
  }

  /**
   * Sixteen hexadecimal digits that change when rows would have to be read again: with the
   * publication, the document table, the partitions or any route, in whatever order they stand.
   */
  public String fingerprint() {
    return Fingerprint.of(
        documents
            + "/"
            + partitions
            + "/"
            + routes.stream().map(Route::toString).sorted().toList());
  }
}
