package dev.tidemark.topics.schema;

import dev.tidemark.topics.route.RouteFile;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings a database to what a route file needs: reads the catalog, plans, and executes the plan,
 * all in one transaction and under a lock, so that two migrations of one database do not mix.
 * Repeating it changes nothing.
 *
 * <p>It needs a role that may do it (a superuser, or on the replica an owner of schema {@code
 * public} with CREATEROLE, and on the source the owner of the routed tables). The running services
 * have no such role.
 *
 * <p>The connection stays the caller's; its auto-commit mode is as before afterwards.
 */
public final class Migration {

  private static final Logger LOG = LoggerFactory.getLogger(Migration.class);

  /** Any constant: it names the lock that all migrations of a database take. */
  private static final long LOCK = 0x7469_6465_6d61_726bL;

  private Migration() {}

  /** What a migration does in its transaction. */
  private interface Work<T> {
    T run() throws SQLException;
  }

  /**
   * Migrates the source.
   *
   * @return the file's routes, resolved against the source, for {@link #replica}
   * @throws PlanException when the routes do not fit the source; nothing was changed
   * @throws SQLException when a statement failed; nothing was changed
   */
  public static List<ResolvedRoute> source(Connection connection, RouteFile file)
      throws SQLException {
    return inTransaction(
        connection,
        () -> {
          SourceCatalog catalog = new CatalogReader(connection).source(file);
          List<ResolvedRoute> routes = RouteResolver.resolve(file, catalog);
          execute(connection, SourcePlan.of(file, routes, catalog));
          return routes;
        });
  }

  /**
   * Migrates the replica.
   *
   * @param routes what {@link #source} returned
   * @throws PlanException when the routes do not fit the replica; nothing was changed
   * @throws SQLException when a statement failed; nothing was changed
   */
  public static void replica(Connection connection, RouteFile file, List<ResolvedRoute> routes)
      throws SQLException {
    inTransaction(
        connection,
        () -> {
          Plan plan =
              ReplicaPlan.of(
                  file,
                  routes.stream().map(ReplicaTable::of).toList(),
                  new CatalogReader(connection).replica(file));
          execute(connection, plan);
          return plan;
        });
  }

  private static void execute(Connection connection, Plan plan) throws SQLException {
    for (Statement statement : plan.statements()) {
      LOG.atDebug()
          .addKeyValue("database", plan.database())
          .addKeyValue("sql", statement.sql())
          .log("Executing");
      execute(connection, statement.sql());
    }
    LOG.atInfo()
        .addKeyValue("database", plan.database())
        .addKeyValue("statements", plan.statements().size())
        .log("Migrated");
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (java.sql.Statement statement = connection.createStatement()) {
      // Braces in SQL are not JDBC escapes here.
      statement.setEscapeProcessing(false);
      statement.execute(sql);
    }
  }

  private static <T> T inTransaction(Connection connection, Work<T> work) throws SQLException {
    boolean autoCommit = connection.getAutoCommit();
    connection.setAutoCommit(false);
    try {
      execute(connection, "select pg_advisory_xact_lock(" + LOCK + ")");
      // A table that is locked for long is no reason to queue everybody else behind this.
      execute(connection, "set local lock_timeout = '10s'");
      T result = work.run();
      connection.commit();
      return result;
    } catch (SQLException | RuntimeException e) {
      try {
        connection.rollback();
      } catch (SQLException rollback) {
        e.addSuppressed(rollback);
      }
      throw e;
    } finally {
      connection.setAutoCommit(autoCommit);
    }
  }
}
