package dev.tidemark.tests.gate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.standalone.client.Answer;
import dev.tidemark.tests.harness.BareGateway;
import dev.tidemark.tests.harness.Caller;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Headers that every answer has, and what browsers of other origins may do. */
class HeadersTest {

  private static final String ROW = BareGateway.ROWS + "/R0";
  private static final String ORIGIN = "https://care.example";

  private static final Map<String, String> ALWAYS =
      Map.of(
          "Cache-Control", "no-store",
          "X-Content-Type-Options", "nosniff",
          "X-Frame-Options", "DENY",
          "Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'",
          "Referrer-Policy", "no-referrer",
          "Cross-Origin-Resource-Policy", "same-site");

  private static final List<String> VARY =
      List.of(
          "Authorization",
          "X-Required-LSN",
          "X-Required-Generation",
          "X-Max-Staleness-Ms",
          "Prefer");

  private static BareGateway gateway;
  private static Caller acme;

  @BeforeAll
  static void start() throws Exception {
    gateway = BareGateway.start(builder -> builder.allowedOrigins(List.of(ORIGIN)));
    gateway.rows("acme", 1);
    acme = gateway.caller("acme", "reader", "writer");
  }

  @AfterAll
  static void stop() {
    gateway.close();
  }

  private static void assertAlways(String what, int status, Answer answer) {
    assertThat(answer.status()).as(what).isEqualTo(status);
    ALWAYS.forEach(
        (name, value) -> assertThat(answer.header(name)).as(what + ": " + name).isEqualTo(value));
    assertThat(String.join(",", answer.headers().allValues("Vary")))
        .as(what + ": Vary")
        .contains(VARY);
    assertThat(answer.headers().firstValue("Server")).as(what).isEmpty();
  }

  @Test
  void everyAnswerOfAHandlerHasThem() throws Exception {
    String position = gateway.position();
    Caller stranger = gateway.bearer("");
    assertAlways("a row", 200, acme.get(ROW));
    assertAlways("rows", 200, acme.get(BareGateway.ROWS));
    assertAlways("pending", 202, acme.get(ROW, "X-Required-LSN", position));
    assertAlways("a write", 201, acme.put("/api/doc/Note/H", "{\"n\":1}"));
    assertAlways("a deletion", 204, acme.delete("/api/doc/Note/H"));
    assertAlways("a malformed position", 400, acme.get(ROW, "X-Required-LSN", "x"));
    assertAlways("no token", 401, stranger.get(ROW));
    assertAlways("a bad token", 401, gateway.bearer("a.b.c").get(ROW));
    assertAlways("no role", 403, gateway.caller("acme").get(ROW));
    assertAlways("no row", 404, acme.get(BareGateway.ROWS + "/none"));
    assertAlways("no path", 404, stranger.get("/nothing/here"));
    assertAlways("no method", 405, acme.put(ROW, "{}"));
    assertAlways("a position beyond", 409, acme.get(ROW, "X-Required-LSN", "FFFFFFFF/0"));
    assertAlways("no version", 412, acme.put("/api/doc/Note/H", "{}", "If-Match", "\"x\""));
    assertAlways("a bare semicolon", 400, acme.get(ROW + ";a=b"));
    assertAlways("health", 200, stranger.get("/actuator/health/liveness"));
    assertAlways("metrics", 200, stranger.get("/actuator/prometheus"));
  }

  @Test
  void anAnswerThatABrowserMightTakeForAFileSaysWhatItIs() throws Exception {
    assertThat(acme.get(BareGateway.ROWS + "/run.bat").header("Content-Disposition"))
        .isEqualTo("inline;filename=f.txt");
    assertThat(acme.get(ROW).header("Content-Disposition")).isEmpty();
  }

  @Test
  void aReplicaTableTellsItsMethods() throws Exception {
    String options =
        raw(
            "OPTIONS %s HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\nConnection: close\r\n\r\n"
                .formatted(ROW, acme.token()));
    String head =
        raw(
            "HEAD %s HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\nConnection: close\r\n\r\n"
                .formatted(ROW, acme.token()));

    assertThat(options).startsWith("HTTP/1.1 200");
    assertThat(headers(options)).containsEntry("allow", "GET, HEAD, OPTIONS");
    assertThat(head).startsWith("HTTP/1.1 200").endsWith("\r\n\r\n");
    assertThat(headers(head)).containsKeys("content-length", "x-replicated-lsn");
  }

  /** What the web server refuses before any handler or filter sees it. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET /a b HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET /api/%zz HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET / HTTP/1.1\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n",
        "GET / HTTP/9.9\r\nHost: x\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: x\r\nContent-Length: z\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: odd\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: x\r\nBig: LARGE\r\n\r\n",
        "T{}RACE / HTTP/1.1\r\nHost: x\r\n\r\n",
      })
  void everyRefusalOfTheWebServerHasThem(String request) throws Exception {
    String answer = raw(request.replace("LARGE", "x".repeat(20_000)));
    Map<String, String> headers = headers(answer);

    assertThat(answer).startsWith("HTTP/1.1 ");
    int status = Integer.parseInt(answer.substring(9, 12));
    assertThat(status).isBetween(400, 505);
    ALWAYS.forEach(
        (name, value) -> assertThat(headers).as(answer).containsEntry(lower(name), value));
    assertThat(headers.getOrDefault("vary", "")).contains(VARY);
    assertThat(headers).containsEntry("content-type", "application/problem+json");
    assertThat(headers).doesNotContainKey("server");
    assertThat(answer).contains("\"type\":\"urn:tidemark:problem:").doesNotContain("Tomcat");
  }

  private static String raw(String request) throws IOException {
    try (Socket socket = new Socket(gateway.uri().getHost(), gateway.uri().getPort())) {
      socket.setSoTimeout(20_000);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
      StringBuilder answer = new StringBuilder();
      // A refusal is the last thing on its connection, or followed by nothing.
      while (!answer.toString().contains("}")) {
        int b = socket.getInputStream().read();
        if (b < 0) {
          break;
        }
        answer.append((char) b);
      }
      return answer.toString();
    }
  }

  private static Map<String, String> headers(String answer) {
    Map<String, String> headers = new TreeMap<>();
    answer
        .lines()
        .skip(1)
        .takeWhile(line -> !line.isEmpty())
        .forEach(
            line ->
                headers.merge(
                    lower(line.substring(0, line.indexOf(':'))),
                    line.substring(line.indexOf(':') + 1).strip(),
                    (one, more) -> one + ", " + more));
    return headers;
  }

  private static String lower(String text) {
    return text.toLowerCase(Locale.ROOT);
  }

  /** What a browser of an allowed origin asks first, and may do then. */
  @Test
  void anAllowedOriginMaySendAndReadTheHeadersOfTheContract() throws Exception {
    String preflight =
        raw(
            "OPTIONS "
                + ROW
                + " HTTP/1.1\r\nHost: x\r\nOrigin: "
                + ORIGIN
                + "\r\nAccess-Control-Request-Method: GET\r\nAccess-Control-Request-Headers:"
                + " authorization,prefer,x-required-lsn,x-required-generation,x-max-staleness-ms\r\n"
                + "Connection: close\r\n\r\n");
    Map<String, String> allowed = headers(preflight);
    assertThat(preflight).startsWith("HTTP/1.1 200");
    assertThat(allowed).containsEntry("access-control-allow-origin", ORIGIN);
    assertThat(lower(allowed.getOrDefault("access-control-allow-headers", "")))
        .contains(
            "authorization",
            "prefer",
            "x-required-lsn",
            "x-required-generation",
            "x-max-staleness-ms");
    assertThat(allowed).doesNotContainKey("access-control-allow-credentials");
    assertThat(allowed.getOrDefault("vary", "")).contains("Origin");

    for (int status : new int[] {200, 202, 401, 404}) {
      Answer answer =
          switch (status) {
            case 200 -> acme.get(ROW, "Origin", ORIGIN);
            case 202 -> acme.get(ROW, "Origin", ORIGIN, "X-Required-LSN", gateway.position());
            case 401 -> gateway.bearer("").get(ROW, "Origin", ORIGIN);
            default -> acme.get(BareGateway.ROWS + "/none", "Origin", ORIGIN);
          };
      assertThat(answer.status()).isEqualTo(status);
      assertThat(answer.header("Access-Control-Allow-Origin")).isEqualTo(ORIGIN);
      assertThat(answer.header("Access-Control-Expose-Headers"))
          .contains(
              "ETag",
              "Location",
              "Preference-Applied",
              "Retry-After",
              "X-Replicated-LSN",
              "X-Tx-LSN",
              "X-Tx-Generation");
      assertThat(String.join(",", answer.headers().allValues("Vary"))).contains("Origin");
    }
  }

  @Test
  void anyOtherOriginIsRefused() throws Exception {
    for (String origin :
        List.of(
            "https://evil.example", "https://care.example.evil", "http://care.example", "null")) {
      Answer answer = acme.get(ROW, "Origin", origin);
      assertThat(answer.status()).as(origin).isEqualTo(403);
      assertThat(answer.json().path("type").asText()).endsWith(":origin-refused");
      assertThat(answer.header("Access-Control-Allow-Origin")).isEmpty();
      assertAlways(origin, 403, answer);
    }
    String method =
        raw(
            "OPTIONS "
                + ROW
                + " HTTP/1.1\r\nHost: x\r\nOrigin: "
                + ORIGIN
                + "\r\nAccess-Control-Request-Method: GET\r\nAccess-Control-Request-Headers: x-odd\r\n"
                + "Connection: close\r\n\r\n");
    assertThat(method).startsWith("HTTP/1.1 403");
  }
}
