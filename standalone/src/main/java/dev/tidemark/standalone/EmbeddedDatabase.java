package dev.tidemark.standalone;

import dev.tidemark.standalone.postgres.EmbeddedPostgres;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * A database of an embedded cluster.
 *
 * @param cluster running
 * @param name of the database
 */
public record EmbeddedDatabase(EmbeddedPostgres cluster, String name) {

  /** Its URL, without user and password. */
  public String jdbcUrl() {
    return cluster.jdbcUrl(name);
  }

  /** A connection as the superuser. */
  public Connection connect() throws SQLException {
    return cluster.connect(name);
  }
}
