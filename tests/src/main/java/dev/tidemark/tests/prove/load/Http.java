package dev.tidemark.tests.prove.load;

import dev.tidemark.standalone.client.Answer;
import dev.tidemark.standalone.issuer.LocalIssuer;
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
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A client of the gateway, for every tenant. Thread-safe. */
public final class Http implements AutoCloseable {

  /** More than the gateway's own limits, so that its answer says how a write ended. */
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  private static final Duration TOKEN_TTL = Duration.ofDays(2);

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final Map<String, String> tokens = new ConcurrentHashMap<>();
  private final String gateway;
  private final LocalIssuer issuer;

  /** Asks the gateway at the URL. */
  public Http(String gateway, LocalIssuer issuer) {
    this.gateway = gateway;
    this.issuer = issuer;
  }

  /** Sends a request in the name of a tenant; headers are names and values in turn. */
  public Answer send(String tenant, String method, String path, String body, String... headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(gateway + path))
            .timeout(TIMEOUT)
            .method(
                method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    List<String> all = new ArrayList<>(List.of(headers));
    all.addAll(List.of("Authorization", "Bearer " + token(tenant)));
    if (!body.isEmpty()) {
      all.addAll(List.of("Content-Type", "application/json"));
    }
    request.headers(all.toArray(String[]::new));
    HttpResponse<String> answer = client.send(request.build(), BodyHandlers.ofString());
    return new Answer(answer.statusCode(), answer.headers(), answer.body());
  }

  private String token(String tenant) {
    return tokens.computeIfAbsent(tenant, name -> issuer.issue(name, List.of(), TOKEN_TTL));
  }

  @Override
  public void close() {
    client.shutdownNow();
  }
}
