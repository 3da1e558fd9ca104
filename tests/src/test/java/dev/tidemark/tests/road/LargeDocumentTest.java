package dev.tidemark.tests.road;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.tests.harness.TestPipeline;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A document that PostgreSQL holds out of line, and does not send when a write leaves it alone. */
class LargeDocumentTest {

  private static final String ROUTES =
      """
      partitions: 4
      routes:
        - doctype: Note
          target: replica_doc_note
          columns:
            - { name: body, from: body }
      """;

  private static TestPipeline pipeline;

  @BeforeAll
  static void start() throws Exception {
    pipeline = TestPipeline.start(ROUTES);
    pipeline.catchUp();
  }

  @AfterAll
  static void stop() throws Exception {
    pipeline.close();
  }

  @Test
  void aLargeDocumentSurvivesAWriteThatLeavesItAlone() throws Exception {
    String body = "x".repeat(200_000);
    pipeline.caller("acme").put("/api/doc/Note/N", "{\"body\":\"" + body + "\"}");
    pipeline.source("update tidemark_doc set version = version + 1");

    pipeline.catchUp();
    assertThat(
            pipeline
                .caller("acme")
                .get("/api/replica/replica_doc_note/N")
                .json()
                .path("body")
                .asText())
        .isEqualTo(body);
  }
}
