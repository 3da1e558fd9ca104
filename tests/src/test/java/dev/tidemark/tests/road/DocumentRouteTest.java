package dev.tidemark.tests.road;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tidemark.standalone.client.Answer;
import dev.tidemark.tests.harness.Caller;
import dev.tidemark.tests.harness.TestPipeline;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Documents that are written over HTTP arrive in the replica table of their type. */
class DocumentRouteTest {

  private static final String ROUTES =
      """
      partitions: 4
      routes:
        - doctype: Waybill
          target: replica_waybill
          columns:
            - { name: ops_status, from: ops_status }
            - { name: city, from: receiver.city }
            - { name: scans, from: scan_log, transform: length, type: integer }
      """;

  private static TestPipeline pipeline;
  private static Caller acme;
  private static Caller globex;

  @BeforeAll
  static void start() throws Exception {
    pipeline = TestPipeline.start(ROUTES);
    acme = pipeline.caller("acme", "ops");
    globex = pipeline.caller("globex", "ops");
  }

  @AfterAll
  static void stop() throws Exception {
    pipeline.close();
  }

  private static Answer replicaAfter(Answer write, Caller caller, String name) {
    return caller.gated("/api/replica/replica_waybill/" + name, write.header("X-Tx-LSN"));
  }

  @Test
  void anInsertArrivesWithTypedColumns() throws Exception {
    Answer written =
        acme.put(
            "/api/doc/Waybill/I-1",
            "{\"ops_status\":\"At Hub\",\"receiver\":{\"city\":\"Hà Nội\"},\"scan_log\":[1,2]}");

    assertThat(written.status()).isEqualTo(201);
    JsonNode row = replicaAfter(written, acme, "I-1").json();
    assertThat(row.path("name").asText()).isEqualTo("I-1");
    assertThat(row.path("ops_status").asText()).isEqualTo("At Hub");
    assertThat(row.path("city").asText()).isEqualTo("Hà Nội");
    assertThat(row.path("scans").isInt()).isTrue();
    assertThat(row.path("scans").asInt()).isEqualTo(2);
    assertThat(row.path("source_lsn").asText()).matches("[0-9A-F]+/[0-9A-F]+");
    assertThat(row.has("tidemark_generation")).isFalse();
  }

  @Test
  void anUpdateReplacesTheWholeDocument() throws Exception {
    acme.put("/api/doc/Waybill/U-1", "{\"ops_status\":\"a\",\"scan_log\":[1]}");

    Answer written = acme.put("/api/doc/Waybill/U-1", "{\"ops_status\":\"b\"}");

    assertThat(written.status()).isEqualTo(200);
    JsonNode row = replicaAfter(written, acme, "U-1").json();
    assertThat(row.path("ops_status").asText()).isEqualTo("b");
    assertThat(row.path("scans").isNull()).isTrue();
  }

  @Test
  void aMergePatchChangesWhatItNamesAndRemovesWhatItNulls() throws Exception {
    acme.put(
        "/api/doc/Waybill/P-1",
        "{\"ops_status\":\"a\",\"receiver\":{\"city\":\"Huế\"},\"scan_log\":[1,2,3]}");

    Answer written =
        acme.patch("/api/doc/Waybill/P-1", "{\"ops_status\":\"b\",\"receiver\":{\"city\":null}}");

    assertThat(written.status()).isEqualTo(200);
    JsonNode row = replicaAfter(written, acme, "P-1").json();
    assertThat(row.path("ops_status").asText()).isEqualTo("b");
    assertThat(row.path("city").isNull()).isTrue();
    assertThat(row.path("scans").asInt()).isEqualTo(3);
  }

  @Test
  void aDeleteRemovesTheRow() throws Exception {
    Answer created = acme.put("/api/doc/Waybill/D-1", "{\"ops_status\":\"a\"}");
    assertThat(replicaAfter(created, acme, "D-1").status()).isEqualTo(200);

    Answer deleted = acme.delete("/api/doc/Waybill/D-1");

    assertThat(deleted.status()).isEqualTo(204);
    assertThat(replicaAfter(deleted, acme, "D-1").status()).isEqualTo(404);
    assertThat(acme.get("/api/doc/Waybill/D-1").status()).isEqualTo(404);
  }

  @Test
  void documentsOfATypeWithoutARouteStayOutOfTheReplica() throws Exception {
    Answer written = acme.put("/api/doc/Invoice/X-1", "{\"ops_status\":\"a\"}");

    assertThat(replicaAfter(written, acme, "X-1").status()).isEqualTo(404);
  }

  @Test
  void tenantsWithTheSameNameNeverSeeEachOther() throws Exception {
    acme.put("/api/doc/Waybill/T-1", "{\"ops_status\":\"acme's\"}");
    Answer written = globex.put("/api/doc/Waybill/T-1", "{\"ops_status\":\"globex's\"}");
    assertThat(written.status()).isEqualTo(201);
    pipeline.catchUp();

    for (String path :
        new String[] {
          "/api/replica/replica_waybill?name=T-1",
          "/api/replica/replica_waybill",
          "/api/replica/replica_waybill/T-1",
          "/api/doc/Waybill/T-1"
        }) {
      assertThat(acme.get(path).body()).contains("acme's").doesNotContain("globex's");
      assertThat(globex.get(path, "X-Tenant-Id", "acme").body())
          .contains("globex's")
          .doesNotContain("acme's");
    }
  }

  @Test
  void aDeleteOfOneTenantLeavesTheOthersRow() throws Exception {
    acme.put("/api/doc/Waybill/T-2", "{\"ops_status\":\"acme's\"}");
    globex.put("/api/doc/Waybill/T-2", "{\"ops_status\":\"globex's\"}");

    Answer deleted = acme.delete("/api/doc/Waybill/T-2");

    assertThat(replicaAfter(deleted, acme, "T-2").status()).isEqualTo(404);
    pipeline.catchUp();
    assertThat(globex.get("/api/replica/replica_waybill/T-2").status()).isEqualTo(200);
  }
}
