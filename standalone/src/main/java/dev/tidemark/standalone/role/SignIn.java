package dev.tidemark.standalone.role;

import dev.tidemark.standalone.data.InstallationException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;

/**
 * Tells a refused configuration from a server that is down: the services wait for servers, and
 * would wait forever for a password to become right.
 */
public final class SignIn {

  /** SQLSTATE class 28, and invalid_catalog_name (PostgreSQL's documentation, appendix A). */
  private static final String INVALID_AUTHORIZATION = "28";

  private static final String NO_SUCH_DATABASE = "3D000";

  private SignIn() {}

  /**
   * Connects once, for at most 10 s.
   *
   * @throws InstallationException when the server is there and refuses the user, the password or
   *     the database; a server that can't be reached is no reason
   */
  public static void check(String jdbcUrl, String user, String password) {
    Properties properties = new Properties();
    properties.setProperty("user", user);
    properties.setProperty("password", password);
    properties.setProperty("connectTimeout", "10");
    properties.setProperty("loginTimeout", "10");
    try (Connection connection = DriverManager.getConnection(jdbcUrl, properties)) {
      connection.getMetaData();
    } catch (SQLException e) {
      String state = String.valueOf(e.getSQLState());
      if (state.startsWith(INVALID_AUTHORIZATION) || state.equals(NO_SUCH_DATABASE)) {
        throw new InstallationException(
            new Login(jdbcUrl, user, password)
                + " is refused by the server: "
                + e.getMessage()
                + " (the migration of ./tidemark routes plan creates the role, its password is set"
                + " with alter role)",
            e);
      }
    }
  }
}
