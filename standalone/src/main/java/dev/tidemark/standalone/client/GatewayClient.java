package dev.tidemark.standalone.client;

import dev.tidemark.standalone.data.InstallationException;
import dev.tidemark.standalone.issuer.LocalIssuer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Asks a gateway in the name of one tenant and roles. Thread-safe.
 *
 * <p>A token is issued at the start and valid for {@link #TOKEN_TTL}, so a client is made for one
 * command, not for a process that stays.
 */
public final class GatewayClient implements AutoCloseable {

  private static final Duration TOKEN_TTL = Duration.ofHours(1);

  /** More than the gateway's longest wait, 30 s. */
  private static final Duration TIMEOUT = Duration.ofSeconds(40);

  private final HttpClient http =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(5))
          .build();

  private final String gateway;
  private final String token;

  /**
   * @param gateway base URL without a slash at its end
   */
  public GatewayClient(String gateway, LocalIssuer issuer, String tenant, List<String> roles) {
    this.gateway = gateway;
    this.token = issuer.issue(tenant, roles, TOKEN_TTL);
  }

  /** Sends GET. */
  public Answer get(String path, Map<String, String> headers)
      throws IOException, InterruptedException {
    return send(request(path, headers).GET());
  }

  /** Sends PUT with a JSON text. */
  public Answer put(String path, String json) throws IOException, InterruptedException {
    return send(
        request(path, Map.of("Content-Type", "application/json"))
            .PUT(BodyPublishers.ofString(json)));
  }

  private HttpRequest.Builder request(String path, Map<String, String> headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(gateway + path))
            .timeout(TIMEOUT)
            .header("Authorization", "Bearer " + token);
    headers.forEach(request::header);
    return request;
  }

  private Answer send(HttpRequest.Builder request) throws IOException, InterruptedException {
    try {
      var response = http.send(request.build(), BodyHandlers.ofString());
      return new Answer(response.statusCode(), response.headers(), response.body());
    } catch (IOException e) {
      throw new InstallationException(
          "the gateway at "
              + gateway
              + " does not answer ("
              + e
              + "): look into tidemark.log of its data folder",
          e);
    }
  }

  @Override
  public void close() {
    http.close();
  }
}
