package dev.tidemark.topics.schema;

import dev.tidemark.topics.route.Route;
import dev.tidemark.topics.route.RouteFile;
import dev.tidemark.topics.route.TableName;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Reads from PostgreSQL's catalogs what a route file needs to know, in the caller's transaction.
 * Changes nothing. Works on PostgreSQL 15 to 18. Used by one thread, as its connection is.
 */
public final class CatalogReader {

  private final Connection connection;
  private final TableReader tables;

  /** A reader over a connection that stays the caller's to close. */
  public CatalogReader(Connection connection) {
    this.connection = connection;
    this.tables = new TableReader(connection);
  }

  /** Reads what the source database holds of the captured tables and the publication. */
  public SourceCatalog source(RouteFile file) throws SQLException {
    return new SourceCatalog(
        true,
        tables(file.capturedTables()),
        roles(),
        schemaUsers(),
        publication(file.publication()));
  }

  /** Reads what the replica database holds of Tidemark's tables. */
  public ReplicaCatalog replica(RouteFile file) throws SQLException {
    Set<TableName> names = new LinkedHashSet<>();
    InternalTable.ALL.forEach(table -> names.add(table.name()));
    for (Route route : file.routes()) {
      names.add(new TableName("public", route.target()));
    }
    names.addAll(marked());
    Map<TableName, TableInfo> found = tables(names);
    return new ReplicaCatalog(
        found,
        roles(),
        schemaUsers().getOrDefault("public", Set.of()),
        ownerCreates(),
        found.containsKey(InternalTable.WATERMARK) ? partitions(file.pipeline()) : 0,
        found.containsKey(InternalTable.ROUTE) ? completed(file.pipeline()) : Set.of());
  }

  private Map<TableName, TableInfo> tables(Iterable<TableName> names) throws SQLException {
    Map<TableName, TableInfo> found = new HashMap<>();
    for (TableName name : names) {
      tables.read(name).ifPresent(table -> found.put(name, table));
    }
    return found;
  }

  private Map<String, RoleInfo> roles() throws SQLException {
    Map<String, RoleInfo> roles = new HashMap<>();
    try (PreparedStatement query =
        connection.prepareStatement(
            """
            select rolname, rolcanlogin, rolreplication, rolsuper or rolbypassrls
              from pg_roles where rolname = any (?)""")) {
      query.setArray(1, connection.createArrayOf("text", Roles.names().toArray()));
      try (ResultSet row = query.executeQuery()) {
        while (row.next()) {
          roles.put(
              row.getString(1),
              new RoleInfo(row.getBoolean(2), row.getBoolean(3), row.getBoolean(4)));
        }
      }
    }
    return roles;
  }

  private Map<String, Set<String>> schemaUsers() throws SQLException {
    Map<String, Set<String>> users = new HashMap<>();
    try (PreparedStatement query =
        connection.prepareStatement(
            """
            select n.nspname, r.rolname
              from pg_namespace n
              left join pg_roles r on r.rolname = any (?) and has_schema_privilege(r.oid, n.oid, 'USAGE')""")) {
      query.setArray(1, connection.createArrayOf("text", Roles.names().toArray()));
      try (ResultSet row = query.executeQuery()) {
        while (row.next()) {
          Set<String> roles = users.computeIfAbsent(row.getString(1), schema -> new HashSet<>());
          Optional.ofNullable(row.getString(2)).ifPresent(roles::add);
        }
      }
    }
    return users;
  }

  private Optional<PublicationInfo> publication(String name) throws SQLException {
    try (PreparedStatement query =
        connection.prepareStatement(
            """
            select p.oid, p.puballtables,
                   p.pubinsert and p.pubupdate and p.pubdelete and p.pubtruncate and p.pubviaroot,
                   exists (select from pg_publication_namespace s where s.pnpubid = p.oid)
                     or exists (select from pg_publication_rel r
                                 where r.prpubid = p.oid and (r.prqual is not null or r.prattrs is not null))
              from pg_publication p where p.pubname = ?""")) {
      query.setString(1, name);
      try (ResultSet row = query.executeQuery()) {
        return row.next()
            ? Optional.of(
                new PublicationInfo(
                    row.getBoolean(2),
                    row.getBoolean(4),
                    row.getBoolean(3),
                    published(row.getLong(1))))
            : Optional.empty();
      }
    }
  }

  private Set<TableName> published(long publication) throws SQLException {
    Set<TableName> names = new HashSet<>();
    try (PreparedStatement query =
        connection.prepareStatement(
            """
            select n.nspname, c.relname
              from pg_publication_rel r
              join pg_class c on c.oid = r.prrelid join pg_namespace n on n.oid = c.relnamespace
             where r.prpubid = ?""")) {
      query.setLong(1, publication);
      try (ResultSet row = query.executeQuery()) {
        while (row.next()) {
          names.add(new TableName(row.getString(1), row.getString(2)));
        }
      }
    }
    return names;
  }

  private Set<TableName> marked() throws SQLException {
    Set<TableName> names = new HashSet<>();
    for (String name :
        texts(
            """
            select c.relname from pg_class c
             where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
               and starts_with(obj_description(c.oid, 'pg_class'), ?)""",
            ReplicaPlan.COMMENT_PREFIX)) {
      names.add(new TableName("public", name));
    }
    return names;
  }

  private int partitions(String pipeline) throws SQLException {
    return Integer.parseInt(
        texts(
                "select count(*)::text from "
                    + InternalTable.WATERMARK.sql()
                    + " where pipeline = ?",
                pipeline)
            .iterator()
            .next());
  }

  private Set<String> completed(String pipeline) throws SQLException {
    return texts(
        "select distinct target from " + InternalTable.ROUTE.sql() + " where pipeline = ?",
        pipeline);
  }

  private boolean ownerCreates() throws SQLException {
    return !texts(
            """
            select rolname from pg_roles
             where rolname = ? and has_schema_privilege(oid, 'public', 'CREATE')
               and has_schema_privilege(oid, 'public', 'USAGE')""",
            Roles.OWNER.roleName())
        .isEmpty();
  }

  private Set<String> texts(String sql, String parameter) throws SQLException {
    Set<String> texts = new LinkedHashSet<>();
    try (PreparedStatement query = connection.prepareStatement(sql)) {
      query.setString(1, parameter);
      try (ResultSet row = query.executeQuery()) {
        while (row.next()) {
          texts.add(row.getString(1));
        }
      }
    }
    return texts;
  }
}
