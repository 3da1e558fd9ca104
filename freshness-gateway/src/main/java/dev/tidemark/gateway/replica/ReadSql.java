package dev.tidemark.gateway.replica;

import dev.tidemark.topics.Lsn;
import dev.tidemark.topics.route.TableName;
import dev.tidemark.topics.schema.Sql;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The SQL of one read: one statement, so one round trip, one transaction and one snapshot of one
 * server, from which both the watermark and the rows come. Rows come only when the gate is open in
 * that snapshot.
 *
 * <p>The tenant is bound by the statement itself. Its first row source sets it; the rows' sub-query
 * refers to that source's output and has a LIMIT, so PostgreSQL can neither merge the two nor begin
 * the second before the first has run. (Two statements in one message would not do: pgjdbc ends the
 * implicit transaction between them as soon as they are server-prepared [seen with 42.7.14].) If
 * the order were ever another, row-level security would hide the rows, not show another tenant's.
 *
 * @param text the statement
 * @param parameters all of them text, in order
 */
record ReadSql(String text, List<String> parameters) {

  private static final String GATE =
      """
      from (select pg_catalog.set_config('tidemark.tenant', ?, true) as tenant,
          pg_catalog.set_config('TimeZone', 'UTC', true) as zone,
          pg_catalog.set_config('bytea_output', 'hex', true) as bytes offset 0) b
      cross join (select m.lsn, m.generation, m.history,
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
    StringBuilder sql =
        new StringBuilder("select w.lsn::text, w.generation, w.history, w.ready, r.present");
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
    sql.append("\n  where t.tenant_id = b.tenant and w.ready and w.lsn >= ?::pg_lsn");
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
