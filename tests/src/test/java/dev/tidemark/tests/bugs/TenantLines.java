package dev.tidemark.tests.bugs;

import dev.tidemark.tests.harness.TestPipeline;

/** The scene of the tests that keep tenants apart: one line of {@code acme}, one of globex. */
final class TenantLines {

  /** A table route by tenant, to {@code replica_line}. */
  static final String ROUTES =
      """
      partitions: 2
      routes:
        - table: line
          tenant: tenant
          target: replica_line
          columns:
            - { name: v, from: v, type: text }
      """;

  /** The path of the replica table. */
  static final String ROWS = "/api/replica/replica_line";

  private TenantLines() {}

  /** Starts a pipeline whose replica table has both lines. */
  static TestPipeline start() throws Exception {
    TestPipeline pipeline =
        TestPipeline.start(
            ROUTES,
            "create table line(id int primary key, tenant text not null, v text)",
            "insert into line values (1, 'acme', 'of acme'), (2, 'globex', 'of globex')");
    pipeline.catchUp();
    return pipeline;
  }
}
