package dev.tidemark.tests.contract;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.tidemark.standalone.client.Answer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Holds answers against the description: the status is listed for the path and method, the headers
 * are those that are described, and the body is valid. Thread-safe.
 */
final class AnswerCheck {

  /** HTTP's own, and the CORS protocol's, which no description lists. */
  private static final Set<String> UNDESCRIBED =
      Set.of(
          "connection",
          "content-length",
          "content-type",
          "date",
          "keep-alive",
          "transfer-encoding");

  private static final String CORS = "access-control-";

  private final Description description = Description.load();
  private final Schemas schemas = new Schemas(description);

  /**
   * Fails with everything that deviates.
   *
   * @param path as it was sent, with its query
   */
  void check(String method, String path, Answer answer) {
    Place place = description.place(method, path, answer.status());
    List<String> deviations =
        description
            .response(place)
            .map(response -> deviations(response, answer))
            .orElseGet(() -> List.of("this status is not described here"));
    if (!deviations.isEmpty()) {
      throw new AssertionError(
          "%s %s: %s\n  %s\nanswer: %s %s\n%s"
              .formatted(
                  method,
                  path,
                  place,
                  String.join("\n  ", deviations),
                  answer.status(),
                  answer.headers().map(),
                  answer.body()));
    }
    Coverage.answered(place);
    if (answer.header("Content-Type").startsWith("application/problem+json")) {
      Coverage.problem(answer.json().path("type").asText());
    }
  }

  /** Fails unless the data of a server-sent event is what the description says of its type. */
  void checkEvent(String type, String data) {
    JsonNode schema =
        description
            .response(new Place("/api/sync/stream", "GET", 200))
            .orElseThrow()
            .path("content")
            .path("text/event-stream")
            .path("x-events")
            .path(type);
    if (schema.isMissingNode()) {
      throw new AssertionError("no event of type " + type + " is described");
    }
    List<String> deviations = schemas.deviations(schema, data);
    if (!deviations.isEmpty()) {
      throw new AssertionError("event " + type + ": " + deviations + "\n" + data);
    }
  }

  private List<String> deviations(JsonNode response, Answer answer) {
    List<String> found = new ArrayList<>(headers(response, answer));
    found.addAll(body(response.path("content"), answer));
    return found;
  }

  private List<String> headers(JsonNode response, Answer answer) {
    Map<String, JsonNode> described = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    for (JsonNode headers : List.of(description.everyAnswersHeaders(), response.path("headers"))) {
      headers
          .properties()
          .forEach(
              header -> described.put(header.getKey(), description.resolve(header.getValue())));
    }
    List<String> found = new ArrayList<>();
    described.forEach(
        (name, header) -> {
          Optional<String> value = answer.headers().firstValue(name);
          if (value.isEmpty() && header.path("required").asBoolean()) {
            found.add("the header " + name + " is missing");
          }
          value.ifPresent(
              text ->
                  schemas
                      .deviations(header.path("schema"), value(header.path("schema"), text))
                      .forEach(deviation -> found.add("the header " + name + ": " + deviation)));
        });
    for (String name : answer.headers().map().keySet()) {
      String lower = name.toLowerCase(Locale.ROOT);
      if (!described.containsKey(name) && !UNDESCRIBED.contains(lower) && !lower.startsWith(CORS)) {
        found.add("the header " + name + " is not described here");
      }
    }
    return found;
  }

  /** A header's text as JSON. */
  private static String value(JsonNode schema, String text) {
    boolean number = schema.path("type").asText().equals("integer") && text.matches("-?[0-9]+");
    return number ? text : TextNode.valueOf(text).toString();
  }

  private List<String> body(JsonNode content, Answer answer) {
    if (content.isMissingNode()) {
      return answer.body().isEmpty() ? List.of() : List.of("a body is not described here");
    }
    String type = answer.header("Content-Type").split(";", 2)[0].strip();
    JsonNode media = content.path(type);
    if (media.isMissingNode()) {
      return List.of("a body of type '" + type + "' is not described here");
    }
    return type.endsWith("json")
        ? schemas.deviations(media.path("schema"), answer.body())
        : List.of();
  }
}
