package dev.tidemark.client.spring;

import dev.tidemark.standalone.data.TemporaryFolder;
import dev.tidemark.standalone.postgres.EmbeddedPostgres;
import dev.tidemark.standalone.postgres.PostgresBinaries;
import dev.tidemark.standalone.postgres.PostgresConfig;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** A PostgreSQL for all tests of this JVM, with a database that has the shop's table. */
final class Cluster {

  static final String PASSWORD = "freshness-test";

  private static final String DATABASE = "shop";

  private static final class Holder {
    private static final EmbeddedPostgres SHARED = start();
  }

  private Cluster() {}

  static String jdbcUrl() {
    return Holder.SHARED.jdbcUrl(DATABASE);
  }

  private static EmbeddedPostgres start() {
    try {
      TemporaryFolder folder = TemporaryFolder.create("tidemark-client");
      EmbeddedPostgres server =
          EmbeddedPostgres.start(
              new PostgresConfig(folder.path(), PostgresBinaries.DEFAULT_VERSION, PASSWORD));
      Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(folder, server)));
      server.createDatabase(DATABASE);
      try (Connection connection = server.connect(DATABASE);
          Statement statement = connection.createStatement()) {
        statement.execute(
            "create table item(id bigint generated always as identity primary key, name text)");
      }
      return server;
    } catch (IOException | SQLException e) {
      throw new IllegalStateException("the tests' PostgreSQL did not start", e);
    }
  }

  private static void stop(TemporaryFolder folder, EmbeddedPostgres server) {
    try (folder;
        server) {
      // closed in the reverse order
    } catch (IOException e) {
      System.err.println("the tests' PostgreSQL did not stop cleanly: " + e);
    }
  }
}
