package dev.tidemark.gateway.db;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.metrics.micrometer.MicrometerMetricsTrackerFactory;
import dev.tidemark.gateway.DatabaseConfig;
import io.micrometer.core.instrument.MeterRegistry;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;

/**
 * One database: a bounded pool of connections, all in autocommit. Thread-safe. The tenant is never
 * set on a connection, only within a transaction, so a connection that returns to the pool carries
 * nothing of its last request.
 */
public final class Database implements AutoCloseable {

  /** How long a request may wait for a connection of the pool. */
  private static final Duration BORROW = Duration.ofSeconds(5);

  /** How long one statement may run. */
  private static final Duration STATEMENT = Duration.ofSeconds(15);

  private final String name;
  private final DatabaseConfig config;
  private final HikariDataSource pool;

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
  }

  /** The name for messages. */
  public String name() {
    return name;
  }

  /** Borrows a connection for the work. */
  public <T> T call(Work<T> work) throws SQLException {
    try (Connection connection = pool.getConnection()) {
      return work.with(connection);
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
        "options", "-c statement_timeout=" + STATEMENT.toMillis());
  }
}
