package dev.tidemark.tests.schema;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** A fresh source and a fresh replica database of one cluster, as superuser; dropped at the end. */
final class Databases implements AutoCloseable {

  /** A role for migrations that is no superuser. */
  static final String MIGRATOR = "migration_admin";

  private final UnaryOperator<String> superuserUrl;
  final Connection source;
  final Connection replica;

  /**
   * @param superuserUrl from a database's name to a JDBC URL with a superuser
   */
  Databases(UnaryOperator<String> superuserUrl) throws SQLException {
    this.superuserUrl = superuserUrl;
    recreate();
    source = DriverManager.getConnection(superuserUrl.apply("migration_source"));
    replica = DriverManager.getConnection(superuserUrl.apply("migration_replica"));
  }

  private void recreate() throws SQLException {
    try (Connection admin = DriverManager.getConnection(superuserUrl.apply("postgres"))) {
      for (String name : List.of("migration_source", "migration_replica")) {
        run(admin, "drop database if exists " + name + " with (force)");
      }
      run(
          admin,
          """
          do $$ declare r text; begin
            for r in select rolname from pg_roles where rolname like 'tidemark\\_%' loop
              execute format('drop role %I', r);
            end loop;
          end $$""",
          "drop role if exists " + MIGRATOR);
      for (String name : List.of("migration_source", "migration_replica")) {
        run(admin, "create database " + name);
      }
    }
  }

  static void run(Connection connection, String... statements) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  /** The rows of a query, columns joined by a bar. */
  static List<String> rows(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      List<String> rows = new ArrayList<>();
      int width = row.getMetaData().getColumnCount();
      while (row.next()) {
        List<String> cells = new ArrayList<>();
        for (int i = 1; i <= width; i++) {
          cells.add(String.valueOf(row.getString(i)));
        }
        rows.add(String.join("|", cells));
      }
      return rows;
    }
  }

  /** Runs as a role, with a tenant bound when it is not empty, and rolls back. */
  static List<String> as(Connection connection, String role, String tenant, String sql)
      throws SQLException {
    run(connection, "begin", "set local session authorization " + role);
    try {
      if (!tenant.isEmpty()) {
        run(connection, "select set_config('tidemark.tenant', '" + tenant + "', true)");
      }
      return rows(connection, sql);
    } finally {
      run(connection, "rollback");
    }
  }

  @Override
  public void close() throws SQLException {
    source.close();
    replica.close();
    recreate();
  }
}
