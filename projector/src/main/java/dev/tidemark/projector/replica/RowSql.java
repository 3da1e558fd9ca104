package dev.tidemark.projector.replica;

import static java.util.stream.Collectors.joining;

import dev.tidemark.projector.row.ReplicaTable;
import dev.tidemark.topics.schema.Sql;
import java.util.Collection;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The statements on one replica table. Every value is a text parameter with a cast to its column's
 * type, so that PostgreSQL itself reads what PostgreSQL itself printed.
 *
 * <p>Each statement binds what its method says, the key behind the tenant.
 */
final class RowSql {

  private RowSql() {}

  /**
   * Binds the generation, then arrays of the tenants, of each column and of the source positions.
   *
   * <p>The policies let a row be written while its tenant is bound. Here each row binds it for
   * itself: {@code set_config} returns the tenant that it binds, so the row cannot be formed
   * before, and it is written before the next one is formed. In any other order the policies would
   * refuse the rows.
   */
  static String upserts(ReplicaTable table, List<String> columns) {
    String names = columns.stream().map(column -> ", " + Sql.identifier(column)).collect(joining());
    String aliases = IntStream.range(0, columns.size()).mapToObj(i -> ", c" + i).collect(joining());
    String arrays = columns.stream().map(column -> ", ?::text[]").collect(joining());
    String values =
        IntStream.range(0, columns.size())
            .mapToObj(i -> ", r.c" + i + "::" + table.type(columns.get(i)))
            .collect(joining());
    String updates =
        columns.stream()
            .filter(column -> !table.key().contains(column))
            .map(column -> Sql.identifier(column) + " = excluded." + Sql.identifier(column) + ", ")
            .collect(joining());
    return "insert into "
        + name(table)
        + " (tenant_id"
        + names
        + ", source_lsn, tidemark_generation, updated_at) select r.tenant"
        + values
        + ", r.lsn::pg_lsn, ?, now() from (select set_config('tidemark.tenant', u.tenant, true) as tenant"
        + aliases
        + ", lsn from unnest(?::text[]"
        + arrays
        + ", ?::text[]) as u(tenant"
        + aliases
        + ", lsn) offset 0) r on conflict (tenant_id"
        + table.key().stream().map(column -> ", " + Sql.identifier(column)).collect(joining())
        + ") do update set "
        + updates
        + "source_lsn = excluded.source_lsn, tidemark_generation = excluded.tidemark_generation,"
        + " updated_at = excluded.updated_at";
  }

  /**
   * Binds the columns to set, the source position and the generation, then the tenant and the key.
   */
  static String patch(ReplicaTable table, List<String> columns) {
    return "update "
        + name(table)
        + " set "
        + columns.stream()
            .map(column -> Sql.identifier(column) + " = ?::" + table.type(column) + ", ")
            .collect(joining())
        + "source_lsn = ?::pg_lsn, tidemark_generation = ?, updated_at = now()"
        + where(table);
  }

  /** Binds the key. */
  static String delete(ReplicaTable table) {
    return "delete from " + name(table) + where(table);
  }

  /** Binds the key, and gives the columns as texts. */
  static String select(ReplicaTable table, Collection<String> columns) {
    return "select "
        + columns.stream().map(column -> Sql.identifier(column) + "::text").collect(joining(", "))
        + " from "
        + name(table)
        + where(table);
  }

  /** Binds the position that the tenant's rows get, the tenant, and the position that they have. */
  static String settle(ReplicaTable table) {
    return "update "
        + name(table)
        + " set source_lsn = ?::pg_lsn where tenant_id = ? and source_lsn = ?::pg_lsn";
  }

  /** Binds nothing but the tenant: every row of it. */
  static String deleteAll(ReplicaTable table) {
    return "delete from " + name(table) + " where tenant_id = ?";
  }

  /** Binds the generation: the tenant's rows that an older one left. */
  static String deleteOlder(ReplicaTable table) {
    return deleteAll(table) + " and tidemark_generation < ?";
  }

  private static String where(ReplicaTable table) {
    return " where tenant_id = ?"
        + table.key().stream()
            .map(column -> " and " + Sql.identifier(column) + " = ?::" + table.type(column))
            .collect(joining());
  }

  private static String name(ReplicaTable table) {
    return "public." + Sql.identifier(table.target());
  }
}
