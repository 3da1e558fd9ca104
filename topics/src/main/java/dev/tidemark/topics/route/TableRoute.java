package dev.tidemark.topics.route;

import java.util.List;
import java.util.Optional;

/**
 * A route that takes the rows of one source table.
 *
 * @param table the source table
 * @param tenant the column that holds the tenant; empty when all tenants share the rows
 * @param key the source columns that identify a row within its tenant; empty for "the primary key"
 * @param target the replica table
 * @param columns the declared columns
 */
public record TableRoute(
    TableName table,
    Optional<String> tenant,
    List<String> key,
    String target,
    List<ColumnMapping> columns)
    implements Route {

  public TableRoute {
    key = List.copyOf(key);
    columns = List.copyOf(columns);
  }

  @Override
  public String permission() {
    return target;
  }
}
