package dev.tidemark.gateway.replica;

import dev.tidemark.topics.Lsn;
import dev.tidemark.topics.route.TableName;
import dev.tidemark.topics.schema.Sql;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The SQL of one read. It is sent in one round trip and runs as one implicit transaction: first the
 * tenant is bound, then one statement reads the watermark and the rows, so that both come from one
 * snapshot of one server. Rows come only when the gate is open in that snapshot.
 *
 * @param text two statements
 * @param parameters all of them text, in order
 */
record ReadSql(String text, List<String> parameters) {

  private static final String BIND =
      "select pg_catalog.set_config('tidemark.tenant', ?, true),"
          + " pg_catalog.set_config('TimeZone', 'UTC', true),"
          + " pg_catalog.set_config('bytea_output', 'hex', true);\n";

  private static final String GATE =
      """
      from (select m.lsn, m.generation, m.history,
          exists (select from public.tidemark_route x where x.pipeline = m.pipeline
            and x.target = ? and x.partition = m.partition and x.fingerprint = ?) as ready
        from public.tidemark_watermark m where m.pipeline = ? and m.partition = ?::integer) w
      left join lateral (select 1 as present""";

  /** Columns of the result before those of the row. */
  static final int GATE_COLUMNS = 5;

  /**
   * The SQL for a request.
   *
   * @param tenant whose rows
   * @param pipeline whose watermark
   * @param partition of the watermark
   * @param required opens the gate; {@link Lsn#ZERO} always does
   * @param extra rows to read beyond the limit, to know whether there are more
   */
  static ReadSql of(
      ReplicaTable table,
      ReadRequest request,
      String tenant,
      String pipeline,
      int partition,
      Lsn required,
      int extra) {
    List<String> parameters = new ArrayList<>();
    parameters.add(tenant);
    StringBuilder sql = new StringBuilder(BIND);
    sql.append("select w.lsn::text, w.generation, w.history, w.ready, r.present");
    List<ReplicaColumn> columns = table.columns();
    for (int i = 0; i < columns.size(); i++) {
      sql.append(", r.c").append(i);
    }
    sql.append('\n').append(GATE);
    parameters.addAll(
        List.of(
            table.target(), table.route().fingerprint(), pipeline, Integer.toString(partition)));
    for (int i = 0; i < columns.size(); i++) {
      sql.append(", ").append(column(columns.get(i))).append("::text as c").append(i);
    }
    for (int i = 0; i < table.key().size(); i++) {
      sql.append(", ").append(column(table.key().get(i))).append(" as k").append(i);
    }
    sql.append("\n  from ").append(new TableName("public", table.target()).sql()).append(" t");
    sql.append("\n  where w.ready and w.lsn >= ?::pg_lsn");
    parameters.add(required.toString());
    for (ReadRequest.Filter filter : request.filters()) {
      sql.append(" and ")
          .append(column(filter.column()))
          .append(" = ")
          .append(cast(filter.column()));
      parameters.add(filter.value());
    }
    request
        .after()
        .ifPresent(
            cursor -> {
              sql.append(" and (").append(keys(table)).append(") > (");
              sql.append(table.key().stream().map(ReadSql::cast).collect(Collectors.joining(", ")));
              sql.append(')');
              parameters.addAll(cursor.key());
            });
    sql.append("\n  order by ").append(keys(table)).append(" limit ?::bigint) r on true");
    parameters.add(Integer.toString(request.limit() + extra));
    sql.append("\norder by ");
    for (int i = 0; i < table.key().size(); i++) {
      sql.append(i == 0 ? "r.k" : ", r.k").append(i);
    }
    return new ReadSql(sql.toString(), parameters);
  }

  private static String keys(ReplicaTable table) {
    return table.key().stream().map(ReadSql::column).collect(Collectors.joining(", "));
  }

  private static String column(ReplicaColumn column) {
    return "t." + Sql.identifier(column.name());
  }

  private static String cast(ReplicaColumn column) {
    return "?::" + column.type();
  }
}
