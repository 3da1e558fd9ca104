package dev.tidemark.tests.schema;

import dev.tidemark.standalone.data.TemporaryFolder;
import dev.tidemark.standalone.postgres.EmbeddedPostgres;
import dev.tidemark.standalone.postgres.PostgresConfig;
import java.io.IOException;

/** A cluster that nobody shares: migrations create and drop roles, which are the cluster's. */
record OwnCluster(TemporaryFolder folder, EmbeddedPostgres postgres) implements AutoCloseable {

  static OwnCluster start(int version) throws IOException {
    TemporaryFolder folder = TemporaryFolder.create("tidemark-migration");
    try {
      return new OwnCluster(
          folder,
          EmbeddedPostgres.start(
              new PostgresConfig(folder.path().resolve("pg"), version, "only-for-tests")));
    } catch (IOException | RuntimeException e) {
      try (folder) {
        throw e;
      }
    }
  }

  String superuserUrl(String database) {
    return postgres.superuserJdbcUrl(database);
  }

  @Override
  public void close() throws IOException {
    try (folder) {
      postgres.close();
    }
  }
}
