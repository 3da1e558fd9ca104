package dev.tidemark.tests.contract;

import static dev.tidemark.tests.contract.ContractScene.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tidemark.gateway.Gateway;
import dev.tidemark.gateway.TokenKeys;
import dev.tidemark.standalone.client.Answer;
import dev.tidemark.tests.harness.Servers;
import dev.tidemark.tests.harness.TestPipeline;
import dev.tidemark.topics.Lsn;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code /api/replica}: the rows of the contract that read, and each problem of a read. */
@ExtendWith(ContractScene.Stage.class)
class ReplicaContract {

  private static final String ROWS = "/api/replica/replica_waybill";
  private static final String STOCK = "/api/replica/replica_stock";
  private static final String NOTES = "/api/replica/replica_note";
  private static final String REQUIRED = "X-Required-LSN";
  private static final String STALENESS = "X-Max-Staleness-Ms";

  private static String position(Answer written) {
    return written.header("X-Tx-LSN");
  }

  private static Lsn replicated(Answer answer) {
    return Lsn.parse(answer.header("X-Replicated-LSN"));
  }

  @Test
  void rowsByNameOrColumnAPageAtATime(ContractScene scene) throws Exception {
    for (String name : List.of("R1", "R2", "R3")) {
      scene.write(name, "{\"ops_status\":\"paged\",\"scan_log\":[1,2]}");
    }
    String last = position(scene.write("R4", "{\"ops_status\":\"other\"}"));

    Answer byName = scene.inSync(scene.care(), ROWS + "?name=R4", last);
    List<String> names = new ArrayList<>();
    String cursor = "";
    do {
      Answer page = scene.care().get(ROWS + "?ops_status=paged&limit=2" + cursor);
      assertThat(page.status()).isEqualTo(200);
      page.json().path("rows").forEach(row -> names.add(row.path("name").asText()));
      JsonNode next = page.json().path("next");
      cursor = next.isNull() ? "" : "&cursor=" + next.asText();
    } while (!cursor.isEmpty());

    assertThat(byName.json().path("rows")).hasSize(1);
    assertThat(byName.json().path("replicatedLsn").asText())
        .isEqualTo(byName.header("X-Replicated-LSN"));
    assertThat(replicated(byName).reaches(Lsn.parse(last))).isTrue();
    assertThat(names).containsExactly("R1", "R2", "R3");
  }

  @Test
  @DisplayName("no-such-row")
  void oneRowByItsKeyOrNone(ContractScene scene) throws Exception {
    String position = position(scene.write("R5", "{\"scan_log\":[1,2,3]}"));

    Answer row = scene.inSync(scene.care(), ROWS + "/R5", position);
    Answer none = scene.inSync(scene.care(), ROWS + "/nothing", position);
    Answer foreign = scene.caller("globex", "care").get(ROWS + "/R5");

    assertThat(row.status()).isEqualTo(200);
    assertThat(row.json().path("scans").asInt()).isEqualTo(3);
    for (Answer missing : List.of(none, foreign)) {
      assertThat(missing.status()).isEqualTo(404);
      assertProblem(missing, "no-such-row");
      assertThat(missing.json().path("replicatedLsn").asText())
          .isEqualTo(missing.header("X-Replicated-LSN"));
      assertThat(missing.json().path("detail")).isEqualTo(none.json().path("detail"));
    }
  }

  @Test
  void aRequiredPositionThatIsNotReachedIsPendingWithoutRows(ContractScene scene) throws Exception {
    scene.pauseProjector(true);
    try {
      String position = position(scene.write("R6", "{\"ops_status\":\"new\"}"));
      for (String path : List.of(ROWS + "?name=R6", ROWS + "/R6")) {
        for (String required : List.of(position, "0/1, " + position, "latest")) {
          Answer pending = scene.care().get(path, REQUIRED, required, "Prefer", "wait=0");
          assertThat(pending.status()).isEqualTo(202);
          assertThat(pending.json().has("rows")).isFalse();
          assertThat(replicated(pending).reaches(Lsn.parse(position))).isFalse();
          assertThat(pending.json().path("replicatedLsn").asText())
              .isEqualTo(pending.header("X-Replicated-LSN"));
          assertThat(pending.header("Preference-Applied")).isEqualTo("wait=0");
        }
        assertThat(scene.care().get(path).status()).isIn(200, 404);
      }
      scene.pauseProjector(false);
      Answer inSync = scene.care().get(ROWS + "?name=R6", REQUIRED, position, "Prefer", "wait=30");
      assertThat(inSync.status()).isEqualTo(200);
      assertThat(inSync.header("Preference-Applied")).isEqualTo("wait=30");
      assertThat(inSync.json().at("/rows/0/ops_status").asText()).isEqualTo("new");
    } finally {
      scene.pauseProjector(false);
    }
  }

  @Test
  void latestIsThePositionAtTheRequestsArrival(ContractScene scene) throws Exception {
    scene.write("R7", "{\"ops_status\":\"newest\"}");

    Answer answer = scene.care().get(ROWS + "/R7", REQUIRED, "latest", "Prefer", "wait=30");

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.json().path("ops_status").asText()).isEqualTo("newest");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "newest", "0/G", "1/2/3", "0/1,", "26123456"})
  @DisplayName("malformed-lsn")
  void aMalformedPositionIsRefused(String position, ContractScene scene) throws Exception {
    for (String path : List.of(ROWS, ROWS + "/R")) {
      Answer refused = scene.care().get(path, REQUIRED, position);
      assertThat(refused.status()).isEqualTo(400);
      assertProblem(refused, "malformed-lsn");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "-1", "1.5", "3600001", "500ms", "1, 2"})
  @DisplayName("malformed-staleness")
  void aMalformedStalenessIsRefused(String staleness, ContractScene scene) throws Exception {
    for (String path : List.of(ROWS, ROWS + "/R")) {
      Answer refused = scene.care().get(path, STALENESS, staleness);
      assertThat(refused.status()).isEqualTo(400);
      assertProblem(refused, "malformed-staleness");
    }
  }

  @Test
  void rowsThatAreStalerThanAllowedArePending(ContractScene scene) throws Exception {
    ContractCaller care = scene.care();
    scene.pauseProjector(true);
    try {
      Answer written = scene.write("R10", "{\"ops_status\":\"fresh\"}");
      for (String path : List.of(ROWS + "?name=R10", ROWS + "/R10")) {
        Answer pending = care.get(path, STALENESS, "0");
        assertThat(pending.status()).isEqualTo(202);
        assertThat(
                Lsn.parse(pending.json().path("requiredLsn").asText())
                    .reaches(Lsn.parse(position(written))))
            .isTrue();
      }
      scene.pauseProjector(false);
      Answer fresh = care.get(ROWS + "/R10", STALENESS, "0", "Prefer", "wait=30");
      assertThat(fresh.status()).isEqualTo(200);
      assertThat(fresh.header("Preference-Applied")).isEqualTo("wait=30");
      assertThat(fresh.json().path("ops_status").asText()).isEqualTo("fresh");
      assertThat(replicated(fresh).reaches(Lsn.parse(position(written)))).isTrue();
    } finally {
      scene.pauseProjector(false);
    }
  }

  @Test
  @DisplayName("history-changed")
  void thePositionOfAnotherHistoryIsRefused(ContractScene scene) throws Exception {
    Answer written = scene.write("R8", "{}");
    scene.inSync(scene.care(), ROWS + "/R8", position(written));
    String generation = "X-Required-Generation";

    for (String path : List.of(ROWS + "?name=R8", ROWS + "/R8")) {
      Answer same =
          scene
              .care()
              .get(
                  path, REQUIRED, position(written), generation, written.header("X-Tx-Generation"));
      Answer other =
          scene.care().get(path, REQUIRED, position(written), generation, "of-another-source");

      assertThat(same.status()).isEqualTo(200);
      assertThat(other.status()).isEqualTo(409);
      assertProblem(other, "history-changed");
      assertThat(other.json().path("currentGeneration").asText())
          .isEqualTo(written.header("X-Tx-Generation"));
    }
  }

  @Test
  @DisplayName("position-beyond-source")
  void aPositionBeyondTheSourcesLogIsRefused(ContractScene scene) throws Exception {
    for (String path : List.of(ROWS, ROWS + "/R")) {
      Answer refused = scene.care().get(path, REQUIRED, "FFFFFFFF/FFFFFFFF", "Prefer", "wait=30");
      assertThat(refused.status()).isEqualTo(409);
      assertProblem(refused, "position-beyond-source");
      assertThat(refused.json().path("requiredLsn").asText()).isEqualTo("FFFFFFFF/FFFFFFFF");
    }
  }

  @Test
  @DisplayName("row-quarantined")
  void aRowThatIsSetAsideIsNotAnsweredWith(ContractScene scene) throws Exception {
    scene
        .pipeline()
        .source(
            "insert into note values (1, 'acme', '{\"t\":\"a\\u0000b\"}'), (2, 'acme', '{\"t\":\"b\"}')");
    ContractCaller care = scene.care();
    String position = scene.pipeline().position();

    Answer aside = scene.inSync(care, NOTES + "/1", position);
    Answer all = care.get(NOTES);

    for (Answer refused : List.of(aside, care.get(NOTES + "?id=1"))) {
      assertThat(refused.status()).isEqualTo(409);
      assertProblem(refused, "row-quarantined");
      assertThat(refused.json().path("replicatedLsn").asText())
          .isEqualTo(refused.header("X-Replicated-LSN"));
    }
    assertThat(all.json().path("rows")).hasSize(1);
    assertThat(all.json().path("quarantined").toString()).isEqualTo("[{\"id\":\"1\"}]");
    assertThat(care.get(NOTES + "/2").json().at("/doc/t").asText()).isEqualTo("b");
  }

  @Test
  @DisplayName("unknown-target")
  void aTableThatNoRouteWritesIsNotFound(ContractScene scene) throws Exception {
    for (String target : List.of("nothing", "tidemark_watermark", "pg_class", "stock")) {
      for (String key : List.of("", "/1")) {
        Answer refused = scene.care().get("/api/replica/" + target + key);
        assertThat(refused.status()).isEqualTo(404);
        assertProblem(refused, "unknown-target");
      }
    }
  }

  @Test
  @DisplayName("unknown-column")
  void aFilterOnAColumnThatIsNotThereNamesThoseThatAre(ContractScene scene) throws Exception {
    for (String query : List.of("?colour=red", "?tenant_id=globex", "?Name=R1")) {
      Answer refused = scene.care().get(ROWS + query);
      assertThat(refused.status()).isEqualTo(400);
      assertProblem(refused, "unknown-column");
      assertThat(refused.json().path("columns").toString())
          .isEqualTo("[\"name\",\"ops_status\",\"scans\",\"source_lsn\",\"updated_at\"]");
    }
  }

  @Test
  @DisplayName("bad-value")
  void aValueThatIsNotOfItsColumnsTypeIsRefused(ContractScene scene) throws Exception {
    for (String path : List.of(ROWS + "?scans=many", ROWS + "?name=%00", NOTES + "/one")) {
      Answer refused = scene.care().get(path);
      assertThat(refused.status()).as(path).isEqualTo(400);
      assertProblem(refused, "bad-value");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "?limit=0",
        "?limit=1001",
        "?limit=ten",
        "?limit=1&limit=2",
        "?cursor=abc",
        "?name=a&name=b",
        "?name=%zz"
      })
  @DisplayName("bad-parameter")
  void aMalformedQueryIsRefused(String query, ContractScene scene) throws Exception {
    Answer refused =
        RawRequest.send(
            scene.url(),
            "GET %s%s HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer %s\r\n\r\n"
                .formatted(ROWS, query, scene.care().token()));

    scene.check().check("GET", ROWS, refused);
    assertThat(refused.status()).isEqualTo(400);
    assertProblem(refused, "bad-parameter");
  }

  @Test
  @DisplayName("composite-key")
  void aRowOfSeveralKeyColumnsIsAskedForByEachOfThem(ContractScene scene) throws Exception {
    scene.pipeline().source("insert into stock values ('acme', 'HN', 'bolt', 7)");

    Answer refused = scene.care().get(STOCK + "/HN");
    Answer found =
        scene.inSync(scene.care(), STOCK + "?site=HN&item=bolt", scene.pipeline().position());

    assertThat(refused.status()).isEqualTo(400);
    assertProblem(refused, "composite-key");
    assertThat(refused.json().path("keyColumns").toString()).isEqualTo("[\"site\",\"item\"]");
    assertThat(found.json().at("/rows/0/n").asInt()).isEqualTo(7);
  }

  @Test
  @DisplayName("bad-request: X-Required-Generation")
  void aGenerationThatCanBeNoneIsRefused(ContractScene scene) throws Exception {
    for (String path : List.of(ROWS, ROWS + "/R")) {
      Answer refused = scene.care().get(path, "X-Required-Generation", "of two words");
      assertThat(refused.status()).isEqualTo(400);
      assertProblem(refused, "bad-request");
    }
  }

  @Test
  @DisplayName("permission-denied")
  void aRoleThatIsMissingIsRefused(ContractScene scene) throws Exception {
    for (String path : List.of(ROWS, ROWS + "/R")) {
      Answer denied = scene.admin().get(path);
      assertThat(denied.status()).isEqualTo(403);
      assertProblem(denied, "permission-denied");
    }
  }

  /** A gateway that is started with a changed route file before capture and projector are. */
  @Test
  @DisplayName("replica-not-ready")
  void aTableThatIsNotCompleteForItsRouteIsNotServed(ContractScene scene) throws Exception {
    scene.write("R9", "{}");
    String changed =
        ContractScene.ROUTES.replace(
            "- { name: scans, from: scan_log, transform: length, type: integer }",
            "- { name: scans, from: scans, type: integer }");
    assertThat(changed).isNotEqualTo(ContractScene.ROUTES);
    TestPipeline pipeline = scene.pipeline();
    TokenKeys keys = new TokenKeys.JwkSet(Servers.shared().issuer().publicJwkSet().toString());
    try (Gateway early =
        Gateway.start(
            pipeline
                .gateway(
                    pipeline.routeFile(changed),
                    pipeline.sourceDatabase().jdbcUrl(),
                    pipeline.replicaDatabase().jdbcUrl(),
                    keys)
                .build())) {
      ContractCaller care = scene.at(early, "care");

      for (String path : List.of(ROWS, ROWS + "/R9")) {
        Answer refused = care.get(path);
        assertThat(refused.status()).isEqualTo(503);
        assertProblem(refused, "replica-not-ready");
        assertThat(care.get(path, REQUIRED, "0/1").status()).isEqualTo(202);
      }
      assertThat(care.get(NOTES).status()).isEqualTo(200);
    }
  }
}
