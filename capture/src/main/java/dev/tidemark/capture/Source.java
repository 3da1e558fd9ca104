package dev.tidemark.capture;

import dev.tidemark.capture.assemble.TenantIdentity;
import dev.tidemark.capture.state.SlotState;
import dev.tidemark.topics.Fingerprint;
import dev.tidemark.topics.Lsn;
import dev.tidemark.topics.ServerIdentity;
import dev.tidemark.topics.route.RouteFile;
import dev.tidemark.topics.route.TableName;
import dev.tidemark.topics.schema.CatalogReader;
import dev.tidemark.topics.schema.ResolvedRoute;
import dev.tidemark.topics.schema.RouteResolver;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Collectors;

/**
 * What capture asks of the source beside the stream, over one connection of its own. Not
 * thread-safe.
 */
final class Source implements AutoCloseable {

  private static final int SERVER_17 = 170000;

  private static final String TENANT_IDENTITY =
      """
      with recursive part as (
        select c.oid from pg_class c join pg_namespace n on n.oid = c.relnamespace
         where n.nspname = ? and c.relname = ?
        union all
        select i.inhrelid from pg_inherits i join part on i.inhparent = part.oid)
      select format('%I.%I', n.nspname, c.relname), c.relkind = 'p', c.relreplident = 'f',
             exists (select from pg_index i join pg_attribute a
                         on a.attrelid = i.indrelid and a.attnum = any (i.indkey)
                      where i.indrelid = c.oid and a.attname = ?
                        and (c.relreplident = 'd' and i.indisprimary
                             or c.relreplident = 'i' and i.indisreplident))
        from part join pg_class c on c.oid = part.oid join pg_namespace n on n.oid = c.relnamespace""";

  private final Connection connection;
  private final boolean flushesMessages;

  Source(CaptureConfig config, String applicationName) throws SQLException {
    this.connection = connect(config, applicationName, "");
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery("select current_setting('server_version_num')::int")) {
      row.next();
      this.flushesMessages = row.getInt(1) >= SERVER_17;
    }
  }

  private static Connection connect(CaptureConfig config, String applicationName, String options)
      throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("user", config.user());
    properties.setProperty("password", config.password());
    properties.setProperty("ApplicationName", applicationName);
    properties.setProperty("connectTimeout", "10");
    properties.setProperty("socketTimeout", "30");
    properties.setProperty("options", options);
    return DriverManager.getConnection(config.sourceJdbcUrl(), properties);
  }

  /**
   * A watch over what the routes read, with a connection of its own.
   *
   * @param resolved what {@link #resolve} returned
   */
  static SourceWatch watch(CaptureConfig config, List<ResolvedRoute> resolved, String application)
      throws SQLException {
    return new SourceWatch(
        connect(config, application, SourceWatch.SESSION_SETTINGS), config.routes(), resolved);
  }

  /** Which log this server writes. */
  ServerIdentity identity() throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "select " + ServerIdentity.COLUMNS + " from pg_catalog.pg_control_system()")) {
      row.next();
      return new ServerIdentity(row.getString(1), row.getInt(2), row.getString(3));
    }
  }

  /**
   * Makes sure that the publication sends every captured table: what it leaves out would be missed
   * without a word.
   *
   * @throws IllegalStateException naming the tables that it leaves out, and their routes
   */
  void requirePublished(RouteFile routes, SourceWatch watch) throws SQLException {
    List<TableName> missing = new ArrayList<>(routes.capturedTables());
    try (PreparedStatement statement =
        connection.prepareStatement(
            "select schemaname, tablename from pg_publication_tables where pubname = ?")) {
      statement.setString(1, routes.publication());
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          missing.remove(new TableName(row.getString(1), row.getString(2)));
        }
      }
    }
    if (!missing.isEmpty()) {
      throw new IllegalStateException(
          "publication "
              + routes.publication()
              + " does not hold "
              + missing
              + ", which "
              + missing.stream()
                  .map(table -> watch.routesOf(table.toString()))
                  .collect(Collectors.joining(", "))
              + " show: run the migration of the routes, or alter publication ... add table "
              + missing.stream().map(TableName::sql).collect(Collectors.joining(", "))
              + " (and grant select on it to the capture role)");
    }
  }

  /** The slot of that name, if there is one. */
  Optional<SlotState> slot(String name) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "select active, coalesce(wal_status = 'lost', false),"
                + " plugin = 'pgoutput' and database = current_database(),"
                + " coalesce(confirmed_flush_lsn, '0/0')::text"
                + " from pg_replication_slots where slot_name = ?")) {
      statement.setString(1, name);
      try (ResultSet row = statement.executeQuery()) {
        return row.next()
            ? Optional.of(
                new SlotState(
                    row.getBoolean(1),
                    row.getBoolean(2),
                    row.getBoolean(3),
                    Lsn.parse(row.getString(4))))
            : Optional.empty();
      }
    }
  }

  /**
   * Ends the connection that reads the slot, if there is one. Only the leader of the group may:
   * what it finds is a former leader's that does not know yet that it is none, or has not noticed
   * that its process is gone.
   */
  void releaseSlot(String name) throws SQLException {
    try (PreparedStatement terminate =
        connection.prepareStatement(
            "select pg_terminate_backend(active_pid, 10000) from pg_replication_slots"
                + " where slot_name = ? and active_pid is not null")) {
      terminate.setString(1, name);
      terminate.execute();
    }
  }

  /** Drops the slot, which must have been released. */
  void dropSlot(String name) throws SQLException {
    try (PreparedStatement drop =
        connection.prepareStatement(
            "select pg_drop_replication_slot(slot_name) from pg_replication_slots where slot_name = ?")) {
      drop.setString(1, name);
      drop.execute();
    }
  }

  /** Where the next record of the log will go. */
  Lsn insertPosition() throws SQLException {
    return position("select pg_current_wal_insert_lsn()::text");
  }

  /** Up to where the log is safe on disk. */
  Lsn flushPosition() throws SQLException {
    return position("select pg_current_wal_flush_lsn()::text");
  }

  /**
   * Writes a beacon into the log, which comes back in the stream after everything that was
   * committed before.
   *
   * <p>From PostgreSQL 17 on it is a message outside of transactions, flushed at once. Before, such
   * a message waits for somebody else's flush, so that there it is the message of a transaction,
   * whose commit flushes.
   */
  void emitBeacon() throws SQLException {
    try (Statement statement = connection.createStatement()) {
      if (flushesMessages) {
        statement.execute("select pg_logical_emit_message(false, 'tidemark', '', true)");
      } else {
        statement.execute(
            "set synchronous_commit = on; select pg_logical_emit_message(true, 'tidemark', '')");
      }
    }
  }

  /**
   * The routes with the types and keys that they take from the source.
   *
   * @throws dev.tidemark.topics.schema.PlanException when the routes do not fit the source
   */
  List<ResolvedRoute> resolve(RouteFile routes) throws SQLException {
    return RouteResolver.resolve(routes, new CatalogReader(connection).source(routes));
  }

  /** Changes whenever rows would have to be read again since the routes or their types changed. */
  static String fingerprint(RouteFile routes, List<ResolvedRoute> resolved) {
    return Fingerprint.of(
        routes.fingerprint() + resolved.stream().map(ResolvedRoute::toString).sorted().toList());
  }

  /** When updates of each captured table that has a tenant carry the old one. */
  Map<TableName, TenantIdentity> tenantIdentities(RouteFile routes) throws SQLException {
    Map<TableName, TenantIdentity> identities = new LinkedHashMap<>();
    for (TableName table : routes.capturedTables()) {
      Optional<String> tenant = routes.tenantColumn(table);
      if (tenant.isPresent()) {
        identities.put(table, tenantIdentity(table, tenant.get()));
      }
    }
    return identities;
  }

  /** Of a partitioned table the leaves decide: PostgreSQL logs their rows. */
  private TenantIdentity tenantIdentity(TableName table, String tenant) throws SQLException {
    TenantIdentity identity = TenantIdentity.ALWAYS_SENT;
    boolean found = false;
    try (PreparedStatement statement = connection.prepareStatement(TENANT_IDENTITY)) {
      statement.setString(1, table.schema());
      statement.setString(2, table.name());
      statement.setString(3, tenant);
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          found = true;
          if (row.getBoolean(2) || row.getBoolean(3)) {
            continue;
          }
          if (!row.getBoolean(4)) {
            throw new IllegalStateException(
                "the replica identity of %s does not hold its tenant column %s, so a delete would not tell whose row it was. Run alter table %s replica identity full"
                    .formatted(table, tenant, row.getString(1)));
          }
          identity = TenantIdentity.SENT_WHEN_CHANGED;
        }
      }
    }
    if (!found) {
      throw new IllegalStateException(
          "the routed table %s is not in the source: create it, or remove its route"
              .formatted(table));
    }
    return identity;
  }

  private Lsn position(String query) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      row.next();
      return Lsn.parse(row.getString(1));
    }
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
