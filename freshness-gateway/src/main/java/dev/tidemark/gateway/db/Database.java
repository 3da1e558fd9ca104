package dev.tidemark.gateway.db;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.metrics.micrometer.MicrometerMetricsTrackerFactory;
import dev.tidemark.gateway.DatabaseConfig;
import io.micrometer.core.instrument.MeterRegistry;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * One database: a bounded pool of connections, all in autocommit. Thread-safe. The tenant is never
 * set on a connection, only within a transaction, so a connection that returns to the pool carries
 * nothing of its last request.
 */
public final class Database implements AutoCloseable {

  /** How long a request may wait for its turn when nothing else is said. */
  public static final Duration TURN = Duration.ofSeconds(10);

  /** How long the pool may take for a connection when it is a request's turn. */
  private static final Duration BORROW = Duration.ofSeconds(5);

  /** How long one statement may run. */
  private static final Duration STATEMENT = Duration.ofSeconds(15);

  private final String name;
  private final DatabaseConfig config;
  private final HikariDataSource pool;

  /** In order of arrival; the pool itself is slow when thousands that were woken at once ask it. */
  private final Semaphore turns;

  /** Work with a connection. */
  @FunctionalInterface
  public interface Work<T> {
    /** Does it; must leave the connection in autocommit. */
    T with(Connection connection) throws SQLException;
  }

  /**
   * Opens the pool and one connection.
   *
   * @param name {@code source} or {@code replica}, for messages and metrics
   * @throws RuntimeException when the database can't be reached
   */
  public Database(String name, DatabaseConfig config, MeterRegistry metrics) {
    this.name = name;
    this.config = config;
    HikariConfig hikari = new HikariConfig();
    hikari.setPoolName(name);
    hikari.setJdbcUrl(config.jdbcUrl());
    hikari.setUsername(config.user());
    hikari.setPassword(config.password());
    hikari.setMaximumPoolSize(config.poolSize());
    hikari.setMinimumIdle(1);
    hikari.setConnectionTimeout(BORROW.toMillis());
    hikari.setMetricsTrackerFactory(new MicrometerMetricsTrackerFactory(metrics));
    properties().forEach(hikari::addDataSourceProperty);
    this.pool = new HikariDataSource(hikari);
    this.turns = new Semaphore(config.poolSize(), true);
  }

  /** The name for messages. */
  public String name() {
    return name;
  }

  /** Borrows a connection for the work. */
  public <T> T call(Work<T> work) throws SQLException {
    return call(work, TURN);
  }

  /**
   * Borrows a connection for the work.
   *
   * @param turn how long to wait until one is free
   * @throws SQLTransientConnectionException when none was
   */
  public <T> T call(Work<T> work, Duration turn) throws SQLException {
    try {
      if (!turns.tryAcquire(turn.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new SQLTransientConnectionException(
            name + " database: all " + config.poolSize() + " connections were busy for " + turn);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SQLTransientConnectionException("interrupted while waiting for a connection", e);
    }
    try (Connection connection = pool.getConnection()) {
      return work.with(connection);
    } finally {
      turns.release();
    }
  }

  /** A connection outside the pool, for as long as the caller keeps it. */
  public Connection dedicated() throws SQLException {
    Properties properties = new Properties();
    properties.putAll(properties());
    properties.setProperty("user", config.user());
    properties.setProperty("password", config.password());
    return DriverManager.getConnection(config.jdbcUrl(), properties);
  }

  @Override
  public void close() {
    pool.close();
  }

  private static Map<String, String> properties() {
    return Map.of(
        "ApplicationName", "tidemark-gateway",
        "connectTimeout", "5",
        "socketTimeout", "30",
        "tcpKeepAlive", "true",
        "assumeMinServerVersion", "15",
        // A parameter takes the type of the cast around it, and a server's detail may quote rows.
        "stringtype", "unspecified",
        "logServerErrorDetail", "false",
        // Else PostgreSQL plans a statement anew each time while it takes that for cheaper.
        "options",
            "-c statement_timeout="
                + STATEMENT.toMillis()
                + " -c plan_cache_mode=force_generic_plan");
  }
}
