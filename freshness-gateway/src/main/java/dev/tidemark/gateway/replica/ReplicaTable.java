package dev.tidemark.gateway.replica;

import dev.tidemark.topics.route.Route;
import java.util.List;
import java.util.Optional;

/**
 * A replica table as the catalog has it.
 *
 * @param route the route that writes it
 * @param tenantBound whether rows belong to one tenant each; else all tenants share them
 * @param columns what readers see, in the order of the answer
 * @param key the key within a tenant; each is among {@code columns}
 */
public record ReplicaTable(
    Route route, boolean tenantBound, List<ReplicaColumn> columns, List<ReplicaColumn> key) {

  public ReplicaTable {
    columns = List.copyOf(columns);
    key = List.copyOf(key);
  }

  /** The column of this name that readers see. */
  public Optional<ReplicaColumn> column(String name) {
    return columns.stream().filter(column -> column.name().equals(name)).findFirst();
  }

  /** The table's name. */
  public String target() {
    return route.target();
  }
}
