package dev.tidemark.standalone.role;

/**
 * How a role signs in to a database.
 *
 * @param jdbcUrl begins with {@code jdbc:postgresql:}, without user and password
 * @param user the database role
 * @param password its password, not empty
 */
record Login(String jdbcUrl, String user, String password) {

  /** Leaves the password out, and the URL's parameters. */
  @Override
  public String toString() {
    return user + " at " + jdbcUrl.replaceFirst("\\?.*", "");
  }
}
