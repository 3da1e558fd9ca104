package dev.tidemark.tests.gate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.standalone.client.Answer;
import dev.tidemark.tests.harness.BareGateway;
import dev.tidemark.tests.harness.Caller;
import org.junit.jupiter.api.Test;

/** The limit of requests a second, by caller, and the port of health and metrics. */
class LimitTest {

  /** Sends until one is refused; a limit of one a second lets few pass on any machine. */
  private static Answer refused(Caller caller) throws Exception {
    for (int i = 0; i < 10_000; i++) {
      Answer answer = caller.get(BareGateway.ROWS);
      if (answer.status() != 200) {
        return answer;
      }
    }
    throw new AssertionError("ten thousand requests passed");
  }

  @Test
  void aCallerThatSendsTooManyRequestsIsToldWhenToComeBackAndOthersAreServed() throws Exception {
    try (BareGateway gateway = BareGateway.start(builder -> builder.requestsPerSecond(1))) {
      Answer refused = refused(gateway.caller("acme", "reader"));

      assertThat(refused.status()).isEqualTo(429);
      assertThat(refused.json().path("type").asText())
          .isEqualTo("urn:tidemark:problem:too-many-requests");
      assertThat(refused.header("Content-Type")).isEqualTo("application/problem+json");
      assertThat(refused.header("Retry-After")).isEqualTo("1");
      assertThat(refused.header("Cache-Control")).isEqualTo("no-store");
      assertThat(gateway.caller("globex", "reader").get(BareGateway.ROWS).status()).isEqualTo(200);
      for (int i = 0; i < 20; i++) {
        assertThat(gateway.bearer("").get("/actuator/health/liveness").status()).isEqualTo(200);
        assertThat(gateway.bearer("no.good").get(BareGateway.ROWS).status()).isEqualTo(401);
      }
    }
  }

  @Test
  void withoutALimitNobodyIsRefused() throws Exception {
    try (BareGateway gateway = BareGateway.start(builder -> builder)) {
      Caller acme = gateway.caller("acme", "reader");
      for (int i = 0; i < 300; i++) {
        assertThat(acme.get(BareGateway.ROWS).status()).isEqualTo(200);
      }
      assertThat(gateway.gateway().opsPort()).isEmpty();
    }
  }

  @Test
  void healthAndMetricsAreOnTheirOwnPortAloneWhereThereIsOne() throws Exception {
    try (BareGateway gateway = BareGateway.start(builder -> builder.opsPort(0))) {
      int port = gateway.gateway().opsPort().orElseThrow();
      Caller ops = new Caller("http://127.0.0.1:" + port, "");
      Caller api = gateway.caller("acme", "reader");

      for (String path :
          new String[] {
            "/actuator/health/liveness", "/actuator/health/readiness", "/actuator/prometheus"
          }) {
        assertThat(ops.get(path).status()).as(path).isEqualTo(200);
        assertThat(api.get(path).status()).as(path).isEqualTo(404);
        assertThat(api.get(path).json().path("type").asText()).endsWith(":no-such-resource");
      }
      assertThat(api.get(BareGateway.ROWS).status()).isEqualTo(200);
      Answer elsewhere = new Caller("http://127.0.0.1:" + port, api.token()).get(BareGateway.ROWS);
      assertThat(elsewhere.status()).isEqualTo(404);
      assertThat(elsewhere.header("X-Content-Type-Options")).isEqualTo("nosniff");
    }
  }
}
