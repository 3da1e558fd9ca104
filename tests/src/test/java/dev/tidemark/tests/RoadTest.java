package dev.tidemark.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.standalone.client.Answer;
import dev.tidemark.tests.harness.TestPipeline;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The seed's scene over HTTP: a write, a gated read that is pending, and the same read in sync. */
class RoadTest {

  private static final String ROUTES =
      """
      partitions: 4
      permissions:
        Waybill: { read: [ops, care], write: [ops] }
      routes:
        - doctype: Waybill
          target: replica_waybill
          columns:
            - { name: ops_status, from: ops_status }
            - { name: scans, from: scan_log, transform: length, type: integer }
      """;

  @ParameterizedTest
  @ValueSource(strings = {"projector", "capture"})
  void aGatedReadIsPendingWithoutRowsWhileARoleIsPaused(String role) throws Exception {
    try (TestPipeline pipeline = TestPipeline.start(ROUTES)) {
      pipeline.catchUp();
      assertThat(pipeline.client("acme", "admin").put("/api/ops/paused/" + role, "true").status())
          .isEqualTo(204);
      Answer written =
          pipeline
              .client("acme", "ops")
              .put("/api/doc/Waybill/WB-1", "{\"ops_status\":\"Delivered\",\"scan_log\":[1,2,3]}");
      assertThat(written.status()).isEqualTo(201);
      String position = written.header("X-Tx-LSN");

      Answer pending =
          pipeline
              .client("acme", "care")
              .get("/api/replica/replica_waybill?name=WB-1", Map.of("X-Required-LSN", position));
      assertThat(pending.status()).isEqualTo(202);
      assertThat(pending.json().properties())
          .extracting(Map.Entry::getKey)
          .containsExactlyInAnyOrder("status", "requiredLsn", "replicatedLsn", "retryAfterMs");

      pipeline.client("acme", "admin").put("/api/ops/paused/" + role, "false");
      Answer inSync =
          pipeline.gated("/api/replica/replica_waybill?name=WB-1", position, "acme", "care");
      assertThat(inSync.status()).isEqualTo(200);
      assertThat(inSync.json().path("rows").path(0).path("ops_status").asText())
          .isEqualTo("Delivered");
      assertThat(inSync.json().path("rows").path(0).path("scans").asInt()).isEqualTo(3);
    }
  }
}
