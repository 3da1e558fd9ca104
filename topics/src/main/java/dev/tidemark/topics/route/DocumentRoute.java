package dev.tidemark.topics.route;

import java.util.List;

/**
 * A route that takes the documents of one type from the document table. Its rows are keyed by
 * {@code (tenant_id, name)}.
 *
 * @param doctype the document type, compared exactly
 * @param target the replica table
 * @param columns the declared columns, beside {@code tenant_id} and {@code name}
 */
public record DocumentRoute(String doctype, String target, List<ColumnMapping> columns)
    implements Route {

  public DocumentRoute {
    columns = List.copyOf(columns);
  }

  @Override
  public String permission() {
    return doctype;
  }
}
