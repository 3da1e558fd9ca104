package dev.tidemark.topics.schema;

import dev.tidemark.topics.route.TableName;
import java.util.Map;
import java.util.Set;

/**
 * What the replica database holds of Tidemark's tables.
 *
 * @param tables replica tables of any pipeline, tables that stand where a route wants one, and the
 *     internal tables, as far as they exist
 * @param roles Tidemark's roles that exist
 * @param schemaUsers Tidemark's roles that may use schema {@code public}
 * @param ownerCreates whether the owner role may create tables in schema {@code public}
 * @param partitions how many partitions the pipeline's watermark has; 0 before the first migration
 * @param completed targets that the pipeline has a completed snapshot of, in any partition
 */
public record ReplicaCatalog(
    Map<TableName, TableInfo> tables,
    Map<String, RoleInfo> roles,
    Set<String> schemaUsers,
    boolean ownerCreates,
    int partitions,
    Set<String> completed) {

  public ReplicaCatalog {
    tables = Map.copyOf(tables);
    roles = Map.copyOf(roles);
    schemaUsers = Set.copyOf(schemaUsers);
    completed = Set.copyOf(completed);
  }

  /** The catalog of a database that Tidemark has never used. */
  public static ReplicaCatalog empty() {
    return new ReplicaCatalog(Map.of(), Map.of(), Set.of(), false, 0, Set.of());
  }
}
