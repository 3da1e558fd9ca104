package dev.tidemark.gateway.db;

import dev.tidemark.topics.route.Route;
import dev.tidemark.topics.route.RouteFile;
import dev.tidemark.topics.route.TableName;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Whether the databases keep tenants apart: the gateway's roles must not be able to step around
 * row-level security, and it must be forced on every table. Checked before the first request and by
 * the health page.
 */
public final class IsolationCheck {

  private static final String ROLE =
      "select rolname, rolsuper, rolbypassrls, rolcreaterole"
          + " from pg_catalog.pg_roles where rolname = current_user";

  private static final String TABLE =
      """
      select c.relkind::text, c.relrowsecurity, c.relforcerowsecurity,
        pg_catalog.pg_has_role(current_user, c.relowner, 'MEMBER'),
        (select pg_catalog.string_agg(p, ', ' order by p)
           from pg_catalog.unnest(array['INSERT','UPDATE','DELETE','TRUNCATE','REFERENCES','TRIGGER']) p
          where pg_catalog.has_table_privilege(current_user, c.oid, p)
             or p in ('INSERT','UPDATE','REFERENCES')
                and pg_catalog.has_any_column_privilege(current_user, c.oid, p)),
        pg_catalog.has_table_privilege(current_user, c.oid, 'SELECT'),
        exists (select from pg_catalog.pg_policy o where o.polrelid = c.oid and o.polpermissive
          and exists (select from pg_catalog.unnest(o.polroles) applies
            where applies = 0 or pg_catalog.pg_has_role(current_user, applies, 'MEMBER'))
          and (pg_catalog.pg_get_expr(o.polqual, o.polrelid) not like '%tidemark.tenant%'
            or pg_catalog.pg_get_expr(o.polwithcheck, o.polrelid) not like '%tidemark.tenant%'))
      from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
      where n.nspname = ? and c.relname = ?
      """;

  private final RouteFile routes;
  private final Database source;
  private final Database replica;

  public IsolationCheck(RouteFile routes, Database source, Database replica) {
    this.routes = routes;
    this.source = source;
    this.replica = replica;
  }

  /** Everything that is wrong, each with the role or table; empty when tenants are kept apart. */
  public List<String> violations() throws SQLException {
    List<String> found = new ArrayList<>(source());
    found.addAll(replica());
    return found;
  }

  /** What is wrong on the source. */
  public List<String> source() throws SQLException {
    return source.call(
        connection -> {
          List<String> found = new ArrayList<>(role(connection, source.name()));
          // Documents are written here, so only what steps around row-level security is refused.
          found.addAll(
              table(connection, source.name(), routes.documents(), List.of("TRUNCATE", "TRIGGER")));
          return found;
        });
  }

  /** What is wrong on the replica. */
  public List<String> replica() throws SQLException {
    return replica.call(
        connection -> {
          List<String> found = new ArrayList<>(role(connection, replica.name()));
          List<String> tables = new ArrayList<>(List.of("tidemark_quarantine"));
          routes.routes().stream().map(Route::target).forEach(tables::add);
          for (String name : tables) {
            found.addAll(
                table(
                    connection,
                    replica.name(),
                    new TableName("public", name),
                    List.of("INSERT", "UPDATE", "DELETE", "TRUNCATE", "REFERENCES", "TRIGGER")));
          }
          return found;
        });
  }

  private static List<String> role(Connection connection, String database) throws SQLException {
    List<String> found = new ArrayList<>();
    try (PreparedStatement statement = connection.prepareStatement(ROLE);
        ResultSet row = statement.executeQuery()) {
      row.next();
      String role = database + " database: role " + row.getString(1);
      if (row.getBoolean(2)) {
        found.add(role + " is a superuser; connect as a role that is not");
      }
      if (row.getBoolean(3)) {
        found.add(role + " has BYPASSRLS; run: alter role " + row.getString(1) + " nobypassrls");
      }
      if (row.getBoolean(4)) {
        found.add(role + " has CREATEROLE; run: alter role " + row.getString(1) + " nocreaterole");
      }
    }
    return found;
  }

  private static List<String> table(
      Connection connection, String database, TableName table, List<String> refused)
      throws SQLException {
    String name = database + " database: table " + table;
    List<String> found = new ArrayList<>();
    try (PreparedStatement statement = connection.prepareStatement(TABLE)) {
      statement.setString(1, table.schema());
      statement.setString(2, table.name());
      try (ResultSet row = statement.executeQuery()) {
        if (!row.next()) {
          return List.of(name + " does not exist; create it with the plan of the route file");
        }
        if (!List.of("r", "p").contains(row.getString(1))) {
          found.add(name + " is no table; a view would be read with its owner's rights");
        }
        if (!row.getBoolean(2)) {
          found.add(
              name + " has no row-level security; run: alter table ... enable row level security");
        }
        if (!row.getBoolean(3)) {
          found.add(
              name
                  + " does not force row-level security; run: alter table ... force row level security");
        }
        if (row.getBoolean(4)) {
          found.add(
              name
                  + " is owned by the gateway's role, directly or by membership; give it another owner");
        }
        found.addAll(excess(name, row.getString(5), refused));
        if (!row.getBoolean(6)) {
          found.add(name + " can't be read by the gateway's role; run: grant select on ... to it");
        }
        if (row.getBoolean(7)) {
          found.add(
              name + " has a permissive policy that does not look at tidemark.tenant; drop it");
        }
      }
    }
    return found;
  }

  private static List<String> excess(
      String name, @org.jspecify.annotations.Nullable String granted, List<String> refused) {
    if (granted == null) {
      return List.of();
    }
    List<String> excess = List.of(granted.split(", ")).stream().filter(refused::contains).toList();
    return excess.isEmpty()
        ? List.of()
        : List.of(
            name
                + " grants "
                + String.join(", ", excess)
                + " to the gateway's role; revoke what it does not need");
  }
}
