package dev.tidemark.tests.prove.system;

import dev.tidemark.standalone.postgres.EmbeddedPostgres;
import dev.tidemark.standalone.postgres.PostgresConfig;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A cluster with one database, which can be restarted and crashed. Thread-safe. */
public final class Database implements AutoCloseable {

  private static final Duration DEATH_LIMIT = Duration.ofSeconds(20);

  private final PostgresConfig config;
  private final String name;
  private volatile EmbeddedPostgres running;
  private boolean closed;

  private Database(PostgresConfig config, String name, EmbeddedPostgres running) {
    this.config = config;
    this.name = name;
    this.running = running;
  }

  static Database start(PostgresConfig config, String name) throws IOException, SQLException {
    Database database = new Database(config, name, EmbeddedPostgres.start(config));
    database.running.createDatabase(name);
    return database;
  }

  /** The URL, without user and password. */
  public String jdbcUrl() {
    return running.jdbcUrl(name);
  }

  /** A new connection of the superuser, whose statements take no longer than 30 s. */
  public Connection connect() throws SQLException {
    return connect(EmbeddedPostgres.SUPERUSER, config.password());
  }

  /** A new connection of a role. */
  public Connection connect(String user, String password) throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("user", user);
    properties.setProperty("password", password);
    properties.setProperty("ApplicationName", "prove");
    properties.setProperty("connectTimeout", "5");
    properties.setProperty("socketTimeout", "40");
    properties.setProperty("options", "-c statement_timeout=30000");
    return DriverManager.getConnection(jdbcUrl(), properties);
  }

  /** Runs statements of the superuser, each on its own. */
  public void run(String... statements) throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  /** The rows of a query, each value as text, joined by a separator. */
  public List<String> query(String sql) throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      List<String> rows = new ArrayList<>();
      while (row.next()) {
        StringBuilder text = new StringBuilder();
        for (int i = 1; i <= row.getMetaData().getColumnCount(); i++) {
          text.append(i == 1 ? "" : "\u001f").append(row.getString(i));
        }
        rows.add(text.toString());
      }
      return rows;
    }
  }

  void password(String role, String password) throws SQLException {
    running.setPassword(role, password);
  }

  /** Ends all sessions and stops the server in order. */
  public void stop() throws IOException {
    running.close();
  }

  /** Kills the server as {@code kill -9} does: what it had not written is lost. */
  public void crash() throws IOException {
    ProcessHandle process = running.process();
    process.destroyForcibly();
    try {
      process.onExit().get(DEATH_LIMIT.toSeconds(), TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (java.util.concurrent.ExecutionException | TimeoutException e) {
      throw new IOException("PostgreSQL did not die of kill -9", e);
    }
  }

  /** Starts it again, at its old address. */
  public synchronized void startAgain() throws IOException {
    if (closed) {
      return;
    }
    int port = running.port();
    running = EmbeddedPostgres.start(config);
    if (running.port() != port) {
      throw new IOException("somebody else has taken port " + port + " of the " + name);
    }
  }

  @Override
  public synchronized void close() throws IOException {
    closed = true;
    running.close();
  }
}
