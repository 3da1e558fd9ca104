package dev.tidemark.topics.schema;

import dev.tidemark.topics.route.TableName;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Reads one table from PostgreSQL's catalog. Works on PostgreSQL 15 to 18. Uses the caller's
 * connection and transaction.
 */
final class TableReader {

  private static final String TABLE =
      """
      select c.oid, c.relkind, c.relpersistence, c.relreplident, c.relrowsecurity,
             c.relforcerowsecurity, obj_description(c.oid, 'pg_class') as comment
        from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where n.nspname = ? and c.relname = ?""";

  private static final String COLUMNS =
      """
      select a.attname, format_type(a.atttypid, a.atttypmod) as type, a.attnotnull,
             a.attgenerated <> '' as generated,
             coalesce(e.typname, t.typname) as typname, coalesce(e.typtype, t.typtype) as typtype,
             coalesce(e.typnamespace, t.typnamespace) = 'pg_catalog'::regnamespace as built_in,
             e.oid is not null as is_array
        from pg_attribute a
        join pg_type t on t.oid = a.atttypid
        left join pg_type e on e.typarray = t.oid
       where a.attrelid = ? and a.attnum > 0 and not a.attisdropped
       order by a.attnum""";

  private static final String UNIQUE_INDEXES =
      """
      select i.indisprimary, i.indimmediate, i.indisreplident,
             array(select a.attname::text
                     from unnest(i.indkey::int2[]) with ordinality k(attnum, n)
                     join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.attnum
                    where k.n <= i.indnkeyatts order by k.n) as columns
        from pg_index i
       where i.indrelid = ? and i.indisunique and i.indisvalid and not i.indisexclusion
         and i.indpred is null and i.indexprs is null
       order by i.indisprimary desc, i.indexrelid""";

  private static final String POLICIES =
      """
      select p.polname, p.polpermissive, p.polcmd,
             array(select r.rolname::text from pg_roles r where r.oid = any (p.polroles) order by 1) as roles,
             pg_get_expr(p.polqual, p.polrelid) as using_text,
             pg_get_expr(p.polwithcheck, p.polrelid) as check_text
        from pg_policy p where p.polrelid = ? order by p.polname""";

  private static final String GRANTS =
      """
      select r.rolname, g.privilege_type
        from pg_class c, aclexplode(c.relacl) g join pg_roles r on r.oid = g.grantee
       where c.oid = ? and r.rolname = any (?)""";

  private static final String LEAVES =
      """
      with recursive part as (
        select i.inhrelid as oid from pg_inherits i where i.inhparent = ?
        union all
        select i.inhrelid from pg_inherits i join part on i.inhparent = part.oid)
      select n.nspname, c.relname
        from part join pg_class c on c.oid = part.oid join pg_namespace n on n.oid = c.relnamespace
       where c.relkind <> 'p' order by c.oid""";

  private final Connection connection;

  TableReader(Connection connection) {
    this.connection = connection;
  }

  /** The table of that exact name, whatever kind of relation it is; empty when there is none. */
  Optional<TableInfo> read(TableName name) throws SQLException {
    try (PreparedStatement query = connection.prepareStatement(TABLE)) {
      query.setString(1, name.schema());
      query.setString(2, name.name());
      try (ResultSet row = query.executeQuery()) {
        return row.next() ? Optional.of(table(name, row)) : Optional.empty();
      }
    }
  }

  private TableInfo table(TableName name, ResultSet row) throws SQLException {
    long oid = row.getLong("oid");
    char kind = letter(row, "relkind");
    return new TableInfo(
        name,
        oid,
        kind,
        letter(row, "relpersistence") == 'p',
        rows(COLUMNS, oid, TableReader::column),
        rows(UNIQUE_INDEXES, oid, TableReader::index),
        ReplicaIdentity.of(letter(row, "relreplident")),
        row.getBoolean("relrowsecurity"),
        row.getBoolean("relforcerowsecurity"),
        rows(POLICIES, oid, TableReader::policy),
        grants(oid),
        Optional.ofNullable(row.getString("comment")),
        leaves(oid));
  }

  private static ColumnInfo column(ResultSet row) throws SQLException {
    SourceType.Kind kind = SourceType.Kind.OTHER;
    char scalarKind = letter(row, "typtype");
    if (scalarKind == 'e') {
      kind = SourceType.Kind.ENUMERATION;
    } else if (row.getBoolean("built_in") && scalarKind == 'b') {
      kind = SourceType.Kind.BUILT_IN;
    }
    return new ColumnInfo(
        row.getString("attname"),
        row.getString("type"),
        new SourceType(row.getString("typname"), kind, row.getBoolean("is_array")),
        row.getBoolean("attnotnull"),
        row.getBoolean("generated"));
  }

  private static IndexInfo index(ResultSet row) throws SQLException {
    return new IndexInfo(
        texts(row.getArray("columns")),
        row.getBoolean("indisprimary"),
        row.getBoolean("indimmediate"),
        row.getBoolean("indisreplident"));
  }

  private static Policy policy(ResultSet row) throws SQLException {
    return new Policy(
        row.getString("polname"),
        row.getBoolean("polpermissive"),
        letter(row, "polcmd"),
        texts(row.getArray("roles")),
        Optional.ofNullable(row.getString("using_text")),
        Optional.ofNullable(row.getString("check_text")));
  }

  private Set<Grant> grants(long oid) throws SQLException {
    Set<Grant> grants = new HashSet<>();
    try (PreparedStatement query = connection.prepareStatement(GRANTS)) {
      query.setLong(1, oid);
      query.setArray(2, connection.createArrayOf("text", Roles.names().toArray()));
      try (ResultSet row = query.executeQuery()) {
        while (row.next()) {
          grants.add(new Grant(row.getString(1), row.getString(2)));
        }
      }
    }
    return grants;
  }

  private List<TableInfo> leaves(long oid) throws SQLException {
    List<TableInfo> leaves = new ArrayList<>();
    for (TableName name :
        rows(LEAVES, oid, row -> new TableName(row.getString(1), row.getString(2)))) {
      read(name).ifPresent(leaves::add);
    }
    return leaves;
  }

  private interface Row<T> {
    T of(ResultSet row) throws SQLException;
  }

  private <T> List<T> rows(String sql, long oid, Row<T> row) throws SQLException {
    List<T> rows = new ArrayList<>();
    try (PreparedStatement query = connection.prepareStatement(sql)) {
      query.setLong(1, oid);
      try (ResultSet result = query.executeQuery()) {
        while (result.next()) {
          rows.add(row.of(result));
        }
      }
    }
    return rows;
  }

  private static List<String> texts(Array array) throws SQLException {
    return Arrays.asList((String[]) array.getArray());
  }

  /** The one letter of a column of PostgreSQL's type {@code "char"}. */
  private static char letter(ResultSet row, String column) throws SQLException {
    return row.getString(column).charAt(0);
  }
}
