package dev.tidemark.gateway.replica;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.tidemark.topics.Lsn;
import dev.tidemark.topics.route.TableName;
import dev.tidemark.topics.schema.Sql;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The SQL of one read: one statement, so one round trip, one transaction and one snapshot of one
 * server, from which both the watermark and the rows come. Rows come only when the gate is open in
 * that snapshot. Where the watermark's partition has set changes aside, the keys among those that
 * the request may be about come too.
 *
 * <p>The tenant is bound by the statement itself. Its first row source sets it; the rows' sub-query
 * refers to that source's output and has a LIMIT, so PostgreSQL can neither merge the two nor begin
 * the second before the first has run. So is the watermark's: it is looked up once, not for each
 * row. (Two statements in one message would not do: pgjdbc ends the implicit transaction between
 * them as soon as they are server-prepared [seen with 42.7.14].) If the order were ever another,
 * row-level security would hide the rows, not show another tenant's.
 *
 * @param text the statement
 * @param parameters all of them text, in order
 */
record ReadSql(String text, List<String> parameters) {

  private static final String SELECT =
      "select w.lsn::text, w.generation, w.history, w.ready, z.quarantined, r.present";

  private static final String GATE =
      """
      from (select pg_catalog.set_config('tidemark.tenant', ?, true) as tenant,
          pg_catalog.set_config('TimeZone', 'UTC', true) as zone,
          pg_catalog.set_config('bytea_output', 'hex', true) as bytes offset 0) b
      cross join (select m.lsn, m.generation, m.history,
          exists (select from public.tidemark_route x where x.pipeline = m.pipeline
            and x.target = ? and x.partition = m.partition and x.fingerprint = ?) as ready,
          m.quarantined
        from public.tidemark_watermark m where m.pipeline = ? and m.partition = ?::integer
        offset 0) w
      """;

  private static final String QUARANTINED =
      """
      left join lateral (select case when w.quarantined > 0 then (
        select json_agg(json_object(?::text[], q.key))::text
        from (select x.key from public.tidemark_quarantine x
          where x.pipeline = ? and x.target = ? and x.tenant_id = b.tenant""";

  private static final String ROWS =
      """
       order by x.key limit 100) q) end as quarantined offset 0) z on true
      left join lateral (select 1 as present""";

  /** Of {@link #ofKeys}, by the very table: the text is the same for all who read it. */
  private static final Cache<ReplicaTable, String> KEYS_TEXT =
      Caffeine.newBuilder().weakKeys().build();

  /** Columns of the result before those of the row. */
  static final int GATE_COLUMNS = 6;

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
    List<String> parameters = gateParameters(table, tenant, pipeline, partition);
    StringBuilder sql = new StringBuilder(SELECT);
    shown(sql, table).append('\n').append(GATE).append(QUARANTINED);
    parameters.addAll(List.of(names(table), pipeline, table.target()));
    if (request.isOfOneRow(table)) {
      sql.append(" and x.key = array[");
      String separator = "";
      for (ReplicaColumn column : table.key()) {
        sql.append(separator).append('(').append(cast(column)).append(")::text");
        parameters.add(request.value(column));
        separator = ", ";
      }
      sql.append(']');
    }
    rows(sql, table);
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

  /**
   * The SQL for many rows by their keys at once, for a table whose key is one column. Each key has
   * one row in the result, with its number, counted from 1, behind the row's columns.
   *
   * @param values of the key; may be of rows that do not exist
   */
  static ReadSql ofKeys(
      ReplicaTable table,
      Collection<String> values,
      String tenant,
      String pipeline,
      int partition,
      Lsn required) {
    List<String> parameters = gateParameters(table, tenant, pipeline, partition);
    parameters.addAll(
        List.of(array(values), names(table), pipeline, table.target(), required.toString()));
    return new ReadSql(KEYS_TEXT.get(table, ReadSql::keysText), parameters);
  }

  private static String keysText(ReplicaTable table) {
    ReplicaColumn key = table.key().getFirst();
    StringBuilder sql = new StringBuilder(SELECT);
    shown(sql, table).append(", k.n\n").append(GATE);
    sql.append("cross join unnest(").append(cast(key)).append("[]) with ordinality k(v, n)\n");
    sql.append(QUARANTINED).append(" and x.key = array[k.v::text]");
    rows(sql, table);
    return sql.append(" and ").append(column(key)).append(" = k.v limit 1) r on true").toString();
  }

  private static List<String> gateParameters(
      ReplicaTable table, String tenant, String pipeline, int partition) {
    return new ArrayList<>(
        List.of(
            tenant,
            table.target(),
            table.route().fingerprint(),
            pipeline,
            Integer.toString(partition)));
  }

  private static StringBuilder shown(StringBuilder sql, ReplicaTable table) {
    for (int i = 0; i < table.columns().size(); i++) {
      sql.append(", r.c").append(i);
    }
    return sql;
  }

  /** The rows' sub-query, up to the conditions that a request adds. */
  private static void rows(StringBuilder sql, ReplicaTable table) {
    sql.append(ROWS);
    List<ReplicaColumn> columns = table.columns();
    for (int i = 0; i < columns.size(); i++) {
      sql.append(", ").append(column(columns.get(i))).append("::text as c").append(i);
    }
    for (int i = 0; i < table.key().size(); i++) {
      sql.append(", ").append(column(table.key().get(i))).append(" as k").append(i);
    }
    sql.append("\n  from ").append(new TableName("public", table.target()).sql()).append(" t");
    sql.append("\n  where t.tenant_id = b.tenant and w.ready and w.lsn >= ?::pg_lsn");
  }

  private static String names(ReplicaTable table) {
    return array(table.key().stream().map(ReplicaColumn::name).toList());
  }

  /** PostgreSQL's text of an array, of which no element is NULL; there must be one at least. */
  private static String array(Collection<String> elements) {
    return elements.stream()
        .map(element -> element.replace("\\", "\\\\").replace("\"", "\\\""))
        .collect(Collectors.joining("\",\"", "{\"", "\"}"));
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
