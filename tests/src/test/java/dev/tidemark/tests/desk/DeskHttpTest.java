package dev.tidemark.tests.desk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.standalone.client.Answer;
import dev.tidemark.tests.harness.Caller;
import dev.tidemark.tests.harness.TestPipeline;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** How the pages' files and the stream's status are served, without a browser. */
class DeskHttpTest {

  private static final String ROUTES =
      """
      partitions: 2
      routes:
        - doctype: Waybill
          target: replica_waybill
          columns:
            - { name: ops_status, from: ops_status }
      """;

  private static TestPipeline pipeline;
  private static Caller stranger;

  @BeforeAll
  static void start() throws Exception {
    pipeline = TestPipeline.start(ROUTES);
    stranger = pipeline.stranger();
  }

  @AfterAll
  static void stop() throws Exception {
    pipeline.close();
  }

  @Test
  void thePageMayLoadNothingFromElsewhereAndRunNoScriptOfItsText() throws Exception {
    Answer page = stranger.get("/desk/");

    assertThat(page.status()).isEqualTo(200);
    assertThat(page.header("Content-Type")).isEqualTo("text/html;charset=UTF-8");
    assertThat(page.headers().allValues("Content-Security-Policy"))
        .singleElement()
        .asString()
        .contains(
            "default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'")
        .contains("base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'")
        .contains("require-trusted-types-for 'script'")
        .doesNotContain("unsafe", "*", "http", "data:");
    assertThat(page.header("X-Content-Type-Options")).isEqualTo("nosniff");
    assertThat(page.header("X-Frame-Options")).isEqualTo("DENY");
    assertThat(page.header("Referrer-Policy")).isEqualTo("no-referrer");
  }

  @Test
  void theInterfaceKeepsItsOwnHeaders() throws Exception {
    Answer status = pipeline.caller("acme").get("/api/sync/status");

    assertThat(status.header("Content-Security-Policy"))
        .isEqualTo("default-src 'none'; frame-ancestors 'none'");
    assertThat(status.header("Cache-Control")).isEqualTo("no-store");
  }

  @Test
  void filesAreKeptByBrowsersButAskedForEachTime() throws Exception {
    Answer module = stranger.get("/desk/tidemark.js");
    assertThat(module.header("Content-Type")).isEqualTo("text/javascript;charset=UTF-8");
    assertThat(module.headers().allValues("Cache-Control")).containsExactly("no-cache");

    Answer again = stranger.get("/desk/tidemark.js", "If-None-Match", module.header("ETag"));

    assertThat(again.status()).isEqualTo(304);
    assertThat(again.body()).isEmpty();
  }

  @Test
  void theAddressWithoutASlashLeadsToThePage() throws Exception {
    Answer answer = stranger.get("/desk");

    assertThat(answer.status()).isEqualTo(308);
    assertThat(answer.header("Location")).isEqualTo("desk/");
  }

  @Test
  void onlyThePagesFilesAreServed() throws Exception {
    for (String path :
        new String[] {"/desk/secret", "/desk/DeskFile.class", "/desk/..%2Fauth", "/desk/a/b"}) {
      assertThat(stranger.get(path).status()).as(path).isIn(404, 400);
    }
    Answer post = stranger.put("/desk/desk.js", "{}");
    assertThat(post.status()).isEqualTo(405);
  }

  @Test
  void theStatusTellsRoutesRateLimitAndWhatIsPaused() throws Exception {
    pipeline.catchUp();
    var status = pipeline.caller("acme").get("/api/sync/status").json();

    assertThat(status.path("routes").path(0).toString())
        .isEqualTo(
            "{\"target\":\"replica_waybill\",\"doctype\":\"Waybill\",\"ready\":true,"
                + "\"readyPartitions\":2,\"partitions\":2}");
    assertThat(status.path("eventsPerSecond").isNumber()).isTrue();
    assertThat(status.path("slot").path("limitBytes").asLong()).isEqualTo(-1);
    assertThat(status.path("slot").path("safeBytes").isNull()).isTrue();
    assertThat(status.path("paused").toString())
        .isEqualTo("{\"capture\":false,\"projector\":false}");
  }
}
