package dev.tidemark.tests.contract;

import static dev.tidemark.tests.contract.ContractScene.assertProblem;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.gateway.Gateway;
import dev.tidemark.standalone.client.Answer;
import dev.tidemark.topics.Lsn;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code /api/doc}: the rows of the contract that write, and each problem of a write. */
@ExtendWith(ContractScene.Stage.class)
class DocumentContract {

  private static final String DOC = "/api/doc/Waybill/";

  private static Lsn position(Answer written) {
    return Lsn.parse(written.header("X-Tx-LSN"));
  }

  @Test
  void putCreatesThenReplacesAndEachPositionIsLaterThanTheOneBefore(ContractScene scene)
      throws Exception {
    ContractCaller ops = scene.ops();

    Answer created = ops.put(DOC + "D1", "{\"ops_status\":\"At Hub\"}");
    Answer replaced = ops.put(DOC + "D1", "{\"ops_status\":\"Delivered\"}");

    assertThat(created.status()).isEqualTo(201);
    assertThat(created.json().path("ops_status").asText()).isEqualTo("At Hub");
    assertThat(ops.get(created.header("Location")).json()).isEqualTo(replaced.json());
    assertThat(replaced.status()).isEqualTo(200);
    assertThat(replaced.header("ETag")).isNotEqualTo(created.header("ETag"));
    assertThat(position(replaced).isAfter(position(created))).isTrue();
    assertThat(created.header("X-Tx-Generation")).isNotEmpty();
  }

  @Test
  void putOrPatchOrDeleteWithAnETagWritesThatVersionOnly(ContractScene scene) throws Exception {
    ContractCaller ops = scene.ops();
    String old = ops.put(DOC + "D2", "{\"a\":1}").header("ETag");
    String now = ops.put(DOC + "D2", "{\"a\":2}", "If-Match", old).header("ETag");

    for (Answer refused :
        List.of(
            ops.put(DOC + "D2", "{\"a\":3}", "If-Match", old),
            ops.put(DOC + "D2", "{\"a\":3}", "If-None-Match", "*"),
            ops.patch(DOC + "D2", "{\"a\":3}", "If-Match", old),
            ops.delete(DOC + "D2", "If-Match", old))) {
      assertThat(refused.status()).isEqualTo(412);
      assertProblem(refused, "precondition-failed");
    }
    assertThat(ops.get(DOC + "D2").json().path("a").asInt()).isEqualTo(2);
    assertThat(ops.delete(DOC + "D2", "If-Match", now).status()).isEqualTo(204);
  }

  @Test
  void patchMergesAndDeleteDeletes(ContractScene scene) throws Exception {
    ContractCaller ops = scene.ops();
    Answer put = ops.put(DOC + "D3", "{\"a\":1,\"b\":{\"c\":1,\"d\":2}}");

    Answer patched = ops.patch(DOC + "D3", "{\"a\":null,\"b\":{\"c\":3}}");
    Answer deleted = ops.delete(DOC + "D3");

    assertThat(patched.status()).isEqualTo(200);
    assertThat(patched.json().toString()).isEqualTo("{\"b\":{\"c\":3,\"d\":2}}");
    assertThat(deleted.status()).isEqualTo(204);
    assertThat(position(patched).isAfter(position(put))).isTrue();
    assertThat(position(deleted).isAfter(position(patched))).isTrue();
  }

  @Test
  @DisplayName("no-such-document")
  void whatIsNotThereIsNotFoundWhosoeverItIs(ContractScene scene) throws Exception {
    scene.write("D4", "{}");
    ContractCaller globex = scene.caller("globex", "ops");

    for (String name : List.of("D4", "nothing")) {
      for (Answer missing :
          List.of(
              globex.get(DOC + name), globex.patch(DOC + name, "{}"), globex.delete(DOC + name))) {
        assertThat(missing.status()).isEqualTo(404);
        assertProblem(missing, "no-such-document");
        assertThat(missing.body()).isEqualTo(globex.get(DOC + "nothing").body());
      }
    }
    assertThat(scene.ops().get(DOC + "D4").status()).isEqualTo(200);
  }

  @Test
  void aReaderThatHasTheVersionIsToldSo(ContractScene scene) throws Exception {
    String tag = scene.write("D5", "{\"a\":1}").header("ETag");

    assertThat(scene.care().get(DOC + "D5", "If-None-Match", tag).status()).isEqualTo(304);
    scene.write("D5", "{\"a\":2}");
    assertThat(scene.care().get(DOC + "D5", "If-None-Match", tag).status()).isEqualTo(200);
  }

  @Test
  @DisplayName("permission-denied")
  void aRoleThatIsMissingIsNamed(ContractScene scene) throws Exception {
    scene.write("D6", "{}");
    ContractCaller care = scene.care();

    for (Answer denied :
        List.of(
            care.put(DOC + "D6", "{}"), care.patch(DOC + "D6", "{}"), care.delete(DOC + "D6"))) {
      assertThat(denied.status()).isEqualTo(403);
      assertProblem(denied, "permission-denied");
      assertThat(denied.json().path("rolesThatMay").toString()).isEqualTo("[\"ops\"]");
    }
    Answer denied = scene.admin().get(DOC + "D6");
    assertProblem(denied, "permission-denied");
    assertThat(denied.json().path("rolesThatMay").toString()).isEqualTo("[\"ops\",\"care\"]");
  }

  @ParameterizedTest
  @ValueSource(strings = {"%20", "%E2%80%83", "%EF%BF%BD", "%7F"})
  @DisplayName("bad-name")
  void aNameThatNoDocumentCanHaveIsRefused(String name, ContractScene scene) throws Exception {
    assertBadName(scene.ops(), DOC + name);
    assertBadName(scene.ops(), "/api/doc/" + name + "/D");
  }

  @Test
  void aNameMayHoldWhatAnyFileOrPathHolds(ContractScene scene) throws Exception {
    for (String name : List.of("run.bat", "a%2Fb", "a%3Bb", "%C3%A9%20%25", "c%3A%5Cd")) {
      assertThat(scene.ops().put(DOC + name, "{}").status()).as(name).isEqualTo(201);
      assertThat(scene.ops().get(DOC + name).status()).as(name).isEqualTo(200);
    }
  }

  @Test
  @DisplayName("bad-name: too long")
  void aNameThatIsTooLongIsRefused(ContractScene scene) throws Exception {
    assertThat(scene.ops().put(DOC + "n".repeat(500), "{}").status()).isEqualTo(201);
    assertBadName(scene.ops(), DOC + "n".repeat(501));
    assertBadName(scene.ops(), "/api/doc/" + "t".repeat(201) + "/D");
  }

  private static void assertBadName(ContractCaller ops, String path) throws Exception {
    for (Answer refused :
        List.of(ops.get(path), ops.put(path, "{}"), ops.patch(path, "{}"), ops.delete(path))) {
      assertThat(refused.status()).isEqualTo(400);
      assertProblem(refused, "bad-name");
    }
  }

  @Test
  @DisplayName("bad-body")
  void aBodyThatIsNoJsonObjectInUtf8IsRefused(ContractScene scene) throws Exception {
    scene.write("D7", "{}");
    for (byte[] body :
        List.of(
            "[]".getBytes(UTF_8),
            "null".getBytes(UTF_8),
            "".getBytes(UTF_8),
            "{".getBytes(UTF_8),
            "{\"a\":1} {}".getBytes(UTF_8),
            "{\"a\":\"\\ud800\"}".getBytes(UTF_8),
            "{\"a\":\"\u00e9\"}".getBytes(ISO_8859_1))) {
      for (String method : List.of("PUT", "PATCH")) {
        Answer refused =
            scene.ops().send(method, DOC + "D7", body, "Content-Type", "application/json");
        assertThat(refused.status()).as(method + " " + new String(body, ISO_8859_1)).isEqualTo(400);
        assertProblem(refused, "bad-body");
      }
    }
  }

  @Test
  @DisplayName("body-not-storable")
  void jsonThatJsonbCannotHoldIsRefused(ContractScene scene) throws Exception {
    scene.write("D8", "{}");
    for (String json : List.of("{\"a\":\"\\u0000\"}", "{\"a\":1e200000}")) {
      for (Answer refused :
          List.of(scene.ops().put(DOC + "D8", json), scene.ops().patch(DOC + "D8", json))) {
        assertThat(refused.status()).as(json).isEqualTo(422);
        assertProblem(refused, "body-not-storable");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"text/plain", "application/xml", "application/json;charset=latin1", "nonsense"})
  @DisplayName("unsupported-media-type")
  void aBodyThatIsNotDeclaredAsJsonIsRefused(String type, ContractScene scene) throws Exception {
    for (String method : List.of("PUT", "PATCH")) {
      Answer refused =
          scene.ops().send(method, DOC + "D9", "{}".getBytes(UTF_8), "Content-Type", type);
      assertThat(refused.status()).isEqualTo(415);
      assertProblem(refused, "unsupported-media-type");
    }
  }

  @Test
  @DisplayName("body-too-large")
  void aBodyBeyondTheLimitIsRefused(ContractScene scene) throws Exception {
    int limit = 1024;
    String over = "{\"a\":\"" + "x".repeat(limit) + "\"}";
    try (Gateway small =
        Gateway.start(scene.pipeline().gateway().maxDocumentBytes(limit).build())) {
      ContractCaller ops = scene.at(small, "ops");

      for (Answer refused : List.of(ops.put(DOC + "D10", over), ops.patch(DOC + "D10", over))) {
        assertThat(refused.status()).isEqualTo(413);
        assertProblem(refused, "body-too-large");
      }
      assertThat(ops.put(DOC + "D10", "{\"a\":\"" + "x".repeat(limit - 8) + "\"}").status())
          .isEqualTo(201);
    }
  }

  @Test
  @DisplayName("bad-request: preconditions")
  void aMalformedPreconditionIsRefused(ContractScene scene) throws Exception {
    ContractCaller ops = scene.ops();
    for (String tag : List.of("1-abc", "\"1", "\"a\" \"b\"")) {
      for (Answer refused :
          List.of(
              ops.put(DOC + "D11", "{}", "If-Match", tag),
              ops.patch(DOC + "D11", "{}", "If-None-Match", tag),
              ops.delete(DOC + "D11", "If-Match", tag))) {
        assertThat(refused.status()).as(tag).isEqualTo(400);
        assertProblem(refused, "bad-request");
      }
    }
  }
}
