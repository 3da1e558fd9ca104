package dev.tidemark.standalone.postgres;

import dev.tidemark.standalone.data.InstallationException;
import dev.tidemark.standalone.data.PrivateFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.OptionalInt;
import org.postgresql.PGConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A PostgreSQL cluster in a folder, with one server on a loopback port.
 *
 * <p>The binaries are zonky's; its {@code EmbeddedPostgres} is not used, because it is made for
 * tests: here the data must survive restarts and a kill -9 of the JVM, a server that the dead JVM
 * left running must be found and stopped, the address must stay the same, and every role needs a
 * password (zonky's clusters trust whoever reaches them).
 *
 * <p>The server outlives signals to the JVM's process group, since {@code pg_ctl} starts it in a
 * session of its own (PostgreSQL 10 and later); {@link #close()} stops it. Only one object at a
 * time may serve a folder: the caller holds a lock ({@code DataFolder}), this class takes none.
 *
 * <p>Thread-safe: immutable, and every method opens a connection of its own.
 */
public final class EmbeddedPostgres implements AutoCloseable {

  /** The superuser's name. */
  public static final String SUPERUSER = "postgres";

  private static final Logger LOG = LoggerFactory.getLogger(EmbeddedPostgres.class);

  private final String password;
  private final Server server;
  private final int port;

  private EmbeddedPostgres(String password, Server server, int port) {
    this.password = password;
    this.server = server;
    this.port = port;
  }

  /**
   * Creates the cluster when the folder has none, ends a server that a killed JVM left running on
   * it, and starts one; returns when it accepts connections.
   *
   * @throws InstallationException when the data is of another version, when PostgreSQL may not run
   *     here, or when it does not start; the message says what to do
   */
  public static EmbeddedPostgres start(PostgresConfig config) throws IOException {
    long began = System.nanoTime();
    ClusterFolder folder =
        new ClusterFolder(PrivateFiles.createFolder(config.folder()).toRealPath());
    Path binaries = PostgresBinaries.unpacked(config.version());
    Server server = new Server(folder, Programs.of(binaries.resolve("bin"), folder.root()));
    if (folder.version().isEmpty()) {
      server.create(config.version(), config.password());
    }
    folder.mustHaveVersion(config.version());
    server.stopLeftover();
    int port = server.start(config.settings());
    LOG.info(
        "postgres started folder={} version={} port={} ms={}",
        folder.root(),
        config.version(),
        port,
        Duration.ofNanos(System.nanoTime() - began).toMillis());
    return new EmbeddedPostgres(config.password(), server, port);
  }

  /** The major version of the cluster in a folder; empty when there is none yet. */
  public static OptionalInt versionOf(Path folder) throws IOException {
    return new ClusterFolder(folder).version();
  }

  /** Where the server listens, on 127.0.0.1 only. */
  public int port() {
    return port;
  }

  /** A URL without user and password, for pools that take those apart. */
  public String jdbcUrl(String database) {
    return "jdbc:postgresql://127.0.0.1:" + port + "/" + database;
  }

  /** A URL with the superuser and its password: a secret. */
  public String superuserJdbcUrl(String database) {
    return jdbcUrl(database) + "?user=" + SUPERUSER + "&password=" + password;
  }

  /** A new connection of the superuser. */
  public Connection connect(String database) throws SQLException {
    return DriverManager.getConnection(jdbcUrl(database), SUPERUSER, password);
  }

  /** Creates a database, unless there is one of that name. */
  public void createDatabase(String name) throws SQLException {
    try (Connection connection = connect("postgres")) {
      if (!exists(connection, "select 1 from pg_database where datname = ?", name)) {
        try (Statement statement = connection.createStatement()) {
          statement.execute("create database " + statement.enquoteIdentifier(name, true));
        }
      }
    }
  }

  /**
   * Gives a role that exists its password; the server sees the SCRAM verifier only.
   *
   * @return false when there is no such role, and nothing was done
   */
  public boolean setPassword(String role, String newPassword) throws SQLException {
    try (Connection connection = connect("postgres")) {
      if (!exists(connection, "select 1 from pg_roles where rolname = ?", role)) {
        return false;
      }
      connection
          .unwrap(PGConnection.class)
          .alterUserPassword(role, newPassword.toCharArray(), "scram-sha-256");
      return true;
    }
  }

  private static boolean exists(Connection connection, String query, String name)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(query)) {
      statement.setString(1, name);
      return statement.executeQuery().next();
    }
  }

  /**
   * The server's process.
   *
   * @throws IllegalStateException when it does not run
   */
  public ProcessHandle process() throws IOException {
    return server
        .process()
        .orElseThrow(() -> new IllegalStateException("PostgreSQL on port " + port + " is gone"));
  }

  /** Ends all sessions and stops the server; does nothing when it does not run. */
  @Override
  public void close() throws IOException {
    if (server.process().isPresent()) {
      server.stop();
    }
  }
}
