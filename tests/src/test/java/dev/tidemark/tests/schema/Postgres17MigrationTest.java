package dev.tidemark.tests.schema;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Migrations on PostgreSQL 17. */
class Postgres17MigrationTest extends MigrationContract {

  private static OwnCluster cluster;

  @BeforeAll
  static void start() throws Exception {
    cluster = OwnCluster.start(17);
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
