package dev.tidemark.tests.schema;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Migrations on PostgreSQL 16. */
class Postgres16MigrationTest extends MigrationContract {

  private static OwnCluster cluster;

  @BeforeAll
  static void start() throws Exception {
    cluster = OwnCluster.start(16);
  }

  @AfterAll
  static void stop() throws Exception {
    cluster.close();
  }

  @Override
  String superuserUrl(String database) {
    return cluster.superuserUrl(database);
  }
}
