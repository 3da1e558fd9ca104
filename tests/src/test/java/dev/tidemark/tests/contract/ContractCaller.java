package dev.tidemark.tests.contract;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tidemark.standalone.client.Answer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.net.http.HttpResponse.ResponseInfo;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests as any program would, and checks every answer against the description.
 * Thread-safe.
 *
 * @param gateway base URL without a slash at its end
 * @param token empty for none
 * @param check what answers are checked by
 */
record ContractCaller(String gateway, String token, AnswerCheck check) {

  private static final HttpClient HTTP =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  /** Headers are names and values in turn, here and below. */
  Answer get(String path, String... headers) throws IOException, InterruptedException {
    return send("GET", path, null, headers);
  }

  /** Sends a JSON text. */
  Answer put(String path, String json, String... headers) throws IOException, InterruptedException {
    return send("PUT", path, json.getBytes(UTF_8), with("application/json", headers));
  }

  /** Sends a JSON merge patch. */
  Answer patch(String path, String json, String... headers)
      throws IOException, InterruptedException {
    return send("PATCH", path, json.getBytes(UTF_8), with("application/merge-patch+json", headers));
  }

  Answer delete(String path, String... headers) throws IOException, InterruptedException {
    return send("DELETE", path, null, headers);
  }

  /** Sends anything; the token comes along, and nothing else does. */
  Answer send(String method, String path, byte @Nullable [] body, String... headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(gateway + path))
            .timeout(TIMEOUT)
            .method(
                method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body));
    if (headers.length > 0) {
      request.headers(headers);
    }
    if (!token.isEmpty()) {
      request.header("Authorization", "Bearer " + token);
    }
    HttpResponse<String> response = HTTP.send(request.build(), ContractCaller::body);
    Answer answer = new Answer(response.statusCode(), response.headers(), response.body());
    check.check(method, path, answer);
    return answer;
  }

  /** Of an event stream, which has no end, only the head. */
  private static BodySubscriber<String> body(ResponseInfo head) {
    return head.headers().firstValue("Content-Type").orElse("").startsWith("text/event-stream")
        ? BodySubscribers.mapping(BodySubscribers.ofInputStream(), ContractCaller::closed)
        : BodySubscribers.ofString(UTF_8);
  }

  private static String closed(InputStream body) {
    try {
      body.close();
      return "";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String[] with(String contentType, String... headers) {
    List<String> all = new ArrayList<>(List.of(headers));
    all.addAll(List.of("Content-Type", contentType));
    return all.toArray(String[]::new);
  }

  /** Leaves the token out. */
  @Override
  public String toString() {
    return "ContractCaller[" + gateway + "]";
  }
}
