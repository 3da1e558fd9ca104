package dev.tidemark.tests.schema;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Migrations on PostgreSQL 18. */
class Postgres18MigrationTest extends MigrationContract {

  private static OwnCluster cluster;

  @BeforeAll
  static void start() throws Exception {
    cluster = OwnCluster.start(18);
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
