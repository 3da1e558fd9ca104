package dev.tidemark.tests.harness;

import static org.awaitility.Awaitility.await;

import dev.tidemark.standalone.client.Answer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Sends requests with a bearer token as any program would, with every method and header.
 * Thread-safe.
 *
 * @param gateway base URL without a slash at its end
 * @param token empty for none
 */
public record Caller(String gateway, String token) {

  private static final HttpClient HTTP =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  /** Sends GET; headers are names and values in turn. */
  public Answer get(String path, String... headers) throws IOException, InterruptedException {
    return send("GET", path, "", headers);
  }

  /** Sends PUT with a JSON text. */
  public Answer put(String path, String json, String... headers)
      throws IOException, InterruptedException {
    return send("PUT", path, json, headers);
  }

  /** Sends PATCH with a JSON text. */
  public Answer patch(String path, String json, String... headers)
      throws IOException, InterruptedException {
    return send("PATCH", path, json, headers);
  }

  /** Sends DELETE. */
  public Answer delete(String path, String... headers) throws IOException, InterruptedException {
    return send("DELETE", path, "", headers);
  }

  /** Asks with {@code X-Required-LSN} until the answer is not 202 any more. */
  public Answer gated(String path, String position) {
    return await()
        .atMost(TestPipeline.LIMIT)
        .pollInterval(Duration.ofMillis(5))
        .until(
            () -> get(path, "X-Required-LSN", position, "Prefer", "wait=2"),
            answer -> answer.status() != 202);
  }

  private Answer send(String method, String path, String body, String... headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(gateway + path))
            .timeout(Duration.ofSeconds(40))
            .method(
                method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    List<String> all = new ArrayList<>(List.of(headers));
    if (!token.isEmpty()) {
      all.addAll(List.of("Authorization", "Bearer " + token));
    }
    if (!body.isEmpty()) {
      all.addAll(
          List.of(
              "Content-Type",
              method.equals("PATCH") ? "application/merge-patch+json" : "application/json"));
    }
    if (!all.isEmpty()) {
      request.headers(all.toArray(String[]::new));
    }
    HttpResponse<String> answer = HTTP.send(request.build(), BodyHandlers.ofString());
    return new Answer(answer.statusCode(), answer.headers(), answer.body());
  }

  /** Leaves the token out. */
  @Override
  public String toString() {
    return "Caller[" + gateway + "]";
  }
}
