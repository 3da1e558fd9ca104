package dev.tidemark.gateway;

import java.util.ArrayList;
import java.util.List;

/**
 * How to reach one database.
 *
 * @param jdbcUrl begins with {@code jdbc:postgresql:}
 * @param user a role that is neither superuser nor BYPASSRLS and owns none of the tables
 * @param password may be empty
 * @param poolSize connections at most, 1 to 200
 */
public record DatabaseConfig(String jdbcUrl, String user, String password, int poolSize) {

  /** Connections at most when nothing else is said: enough for a few thousand reads a second. */
  public static final int DEFAULT_POOL_SIZE = 10;

  public DatabaseConfig {
    List<String> problems = new ArrayList<>();
    if (!jdbcUrl.startsWith("jdbc:postgresql:")) {
      problems.add("jdbcUrl must begin with jdbc:postgresql:");
    }
    if (user.isBlank()) {
      problems.add("user must not be empty");
    }
    if (poolSize < 1 || poolSize > 200) {
      problems.add("poolSize must be 1 to 200, but was " + poolSize);
    }
    if (!problems.isEmpty()) {
      throw new IllegalArgumentException("database settings: " + String.join("; ", problems));
    }
  }

  /** With the default pool size. */
  public DatabaseConfig(String jdbcUrl, String user, String password) {
    this(jdbcUrl, user, password, DEFAULT_POOL_SIZE);
  }

  /** Without the password and the URL's parameters, which may hold one. */
  @Override
  public String toString() {
    int query = jdbcUrl.indexOf('?');
    return "DatabaseConfig["
        + (query < 0 ? jdbcUrl : jdbcUrl.substring(0, query))
        + ", user="
        + user
        + ", poolSize="
        + poolSize
        + "]";
  }
}
