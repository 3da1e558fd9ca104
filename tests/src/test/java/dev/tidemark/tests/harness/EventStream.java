package dev.tidemark.tests.harness;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tidemark.standalone.client.Answer;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Reads server-sent events as a client with nothing but HTTP does. Used by one thread. */
public final class EventStream implements AutoCloseable {

  private final HttpClient http;
  private final HttpResponse<InputStream> response;
  private final BufferedReader lines;
  private final List<String> fields = new ArrayList<>();

  /**
   * One event.
   *
   * @param type its {@code event}
   * @param data its {@code data}
   * @param others every other field that came with it, such as {@code id: 1}
   */
  public record Event(String type, String data, List<String> others) {
    /** The data as JSON. */
    public JsonNode json() {
      return new Answer(200, HttpHeaders.of(Map.of(), (name, value) -> true), data).json();
    }
  }

  private EventStream(HttpClient http, HttpResponse<InputStream> response) {
    this.http = http;
    this.response = response;
    this.lines = new BufferedReader(new InputStreamReader(response.body(), UTF_8));
  }

  /** Opens the stream; headers are names and values in turn. */
  public static EventStream open(String gateway, String token, String... headers)
      throws IOException, InterruptedException {
    HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(gateway + "/api/sync/stream"))
            .timeout(Duration.ofSeconds(60))
            .header("Authorization", "Bearer " + token);
    if (headers.length > 0) {
      request.headers(headers);
    }
    return new EventStream(http, http.send(request.build(), BodyHandlers.ofInputStream()));
  }

  /** Status and headers. */
  public Answer answer() {
    return new Answer(response.statusCode(), response.headers(), "");
  }

  /** The next event of a type; others are passed over. */
  public Event next(String type) throws IOException {
    for (Event event = next(); ; event = next()) {
      if (event.type().equals(type)) {
        return event;
      }
    }
  }

  /** The next event of any type; comments are passed over. */
  public Event next() throws IOException {
    fields.clear();
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (!line.isEmpty()) {
        if (!line.startsWith(":")) {
          fields.add(line);
        }
      } else if (!fields.isEmpty()) {
        return new Event(
            field("event: "),
            field("data: "),
            fields.stream()
                .filter(field -> !field.startsWith("event: ") && !field.startsWith("data: "))
                .toList());
      }
    }
    throw new EOFException("the stream has ended");
  }

  private String field(String name) {
    return fields.stream()
        .filter(field -> field.startsWith(name))
        .map(field -> field.substring(name.length()))
        .findFirst()
        .orElse("");
  }

  @Override
  public void close() {
    http.shutdownNow();
  }
}
