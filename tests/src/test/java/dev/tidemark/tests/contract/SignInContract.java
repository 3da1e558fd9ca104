package dev.tidemark.tests.contract;

import static dev.tidemark.tests.contract.ContractScene.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tidemark.gateway.Gateway;
import dev.tidemark.gateway.TokenKeys;
import dev.tidemark.standalone.client.Answer;
import dev.tidemark.tests.harness.TestPipeline;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What all operations below {@code /api} ask of a caller before anything else. */
@ExtendWith(ContractScene.Stage.class)
class SignInContract {

  private static final List<Call> API = Call.all(Description.load(), "/api/");

  @Test
  @DisplayName("token-missing")
  void withoutATokenNothingIsServed(ContractScene scene) throws Exception {
    for (Call call : API) {
      Answer refused = call.by(scene.stranger());
      assertThat(refused.status()).as(call.toString()).isEqualTo(401);
      assertProblem(refused, "token-missing");
      assertThat(refused.header("WWW-Authenticate")).isEqualTo("Bearer");
    }
    assertProblem(scene.stranger().get("/api/nothing"), "token-missing");
  }

  @ParameterizedTest
  @ValueSource(strings = {"not.a.token", "x", "eyJhbGciOiJub25lIn0.e30."})
  @DisplayName("token-invalid")
  void aTokenThatNobodyVouchesForIsRefused(String token, ContractScene scene) throws Exception {
    for (Call call : API) {
      Answer refused = call.by(new ContractCaller(scene.url(), token, scene.check()));
      assertThat(refused.status()).as(call.toString()).isEqualTo(401);
      assertProblem(refused, "token-invalid");
      assertThat(refused.header("WWW-Authenticate")).isEqualTo("Bearer error=\"invalid_token\"");
      assertThat(refused.body()).doesNotContain(token);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  @DisplayName("issuer-unavailable")
  void whereTheIssuerIsNotReachedNoTokenCanBeChecked(boolean keySet, ContractScene scene)
      throws Exception {
    URI nobody = URI.create("http://127.0.0.1:" + unusedPort() + "/keys");
    TokenKeys keys = keySet ? new TokenKeys.JwkSetUri(nobody) : new TokenKeys.Issuer(nobody);
    TestPipeline pipeline = scene.pipeline();
    try (Gateway gateway =
        Gateway.start(
            pipeline
                .gateway(
                    pipeline.routeFile(ContractScene.ROUTES),
                    pipeline.sourceDatabase().jdbcUrl(),
                    pipeline.replicaDatabase().jdbcUrl(),
                    keys)
                .build())) {
      for (Call call : API) {
        Answer refused = call.by(scene.at(gateway, "ops", "admin"));
        assertThat(refused.status()).as(call.toString()).isEqualTo(503);
        assertProblem(refused, "issuer-unavailable");
      }
    }
  }

  /** Free a moment ago, and nobody is told of it. */
  private static int unusedPort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  @Test
  @DisplayName("too-many-requests")
  void aCallerThatSendsTooManyRequestsIsToldToWait(ContractScene scene) throws Exception {
    try (Gateway gateway = Gateway.start(scene.pipeline().gateway().requestsPerSecond(1).build())) {
      ContractCaller caller = scene.at(gateway, "ops", "admin");
      for (Call call : API) {
        Answer refused =
            await()
                .atMost(TestPipeline.LIMIT)
                .pollInterval(Duration.ofMillis(1))
                .until(() -> call.by(caller), answer -> answer.status() == 429);
        assertProblem(refused, "too-many-requests");
        assertThat(refused.header("Retry-After")).isEqualTo("1");
      }
      assertThat(scene.at(gateway).get("/actuator/health/liveness").status()).isEqualTo(200);
    }
  }

  @Test
  @DisplayName("origin-refused")
  void browsersMayCallFromOriginsThatAreConfiguredOnly(ContractScene scene) throws Exception {
    String ours = "https://care.example";
    try (Gateway gateway =
        Gateway.start(scene.pipeline().gateway().allowedOrigins(List.of(ours)).build())) {
      for (Call call : API) {
        Answer refused =
            call.by(scene.at(gateway, "ops", "admin"), "Origin", "https://elsewhere.example");
        assertThat(refused.status()).as(call.toString()).isEqualTo(403);
        assertProblem(refused, "origin-refused");
      }
      Answer read = scene.at(gateway, "care").get("/api/replica/replica_waybill", "Origin", ours);
      assertThat(read.status()).isEqualTo(200);
      assertThat(read.header("Access-Control-Allow-Origin")).isEqualTo(ours);
      assertThat(read.header("Access-Control-Expose-Headers"))
          .contains("X-Replicated-LSN", "X-Tx-LSN", "X-Tx-Generation", "Retry-After", "ETag");
      HttpResponse<String> asked = preflight(gateway, ours);
      assertThat(asked.statusCode()).isEqualTo(200);
      assertThat(asked.headers().firstValue("Access-Control-Allow-Headers").orElse(""))
          .containsIgnoringCase("X-Required-LSN")
          .containsIgnoringCase("X-Required-Generation")
          .containsIgnoringCase("X-Max-Staleness-Ms")
          .containsIgnoringCase("Prefer")
          .containsIgnoringCase("If-Match");
      assertThat(preflight(gateway, "https://elsewhere.example").statusCode()).isEqualTo(403);
    }
  }

  /** What a browser asks before it sends a request with headers of its own. */
  private static HttpResponse<String> preflight(Gateway gateway, String origin)
      throws IOException, InterruptedException {
    try (HttpClient http = HttpClient.newHttpClient()) {
      return http.send(
          HttpRequest.newBuilder(
                  URI.create(ContractScene.url(gateway) + "/api/replica/replica_waybill"))
              .method("OPTIONS", BodyPublishers.noBody())
              .header("Origin", origin)
              .header("Access-Control-Request-Method", "GET")
              .header(
                  "Access-Control-Request-Headers",
                  "authorization,x-required-lsn,x-required-generation,x-max-staleness-ms,prefer,if-match")
              .build(),
          BodyHandlers.ofString());
    }
  }

  @Test
  @DisplayName("bad-request: what is no HTTP")
  void whatIsNoHttpIsRefusedAsAProblemToo(ContractScene scene) throws Exception {
    String token = scene.caller("acme", "ops", "care", "admin").token();
    for (Call call : Call.all(Description.load(), "/")) {
      Answer refused =
          RawRequest.send(
              scene.url(),
              ("%s %s HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer %s\r\n"
                      + "X-Odd: a\u0001b\r\nContent-Length: 0\r\n\r\n")
                  .formatted(call.method(), call.path(), token));
      scene.check().check(call.method(), call.path(), refused);
      assertThat(refused.status()).as(call.toString()).isEqualTo(400);
      assertProblem(refused, "bad-request");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/api//doc",
        "/api/./doc",
        "/api/doc/a;b/c",
        "/api/doc/a/%0a",
        "/api/doc/a/%C3%28"
      })
  @DisplayName("bad-request: paths")
  void aPathThatMayMeanAnotherIsRefused(String path, ContractScene scene) throws Exception {
    Answer refused =
        RawRequest.send(
            scene.url(),
            "GET %s HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer %s\r\n\r\n"
                .formatted(path, scene.ops().token()));

    scene.check().check("GET", path, refused);
    assertThat(refused.status()).isEqualTo(400);
    assertProblem(refused, "bad-request");
  }
}
