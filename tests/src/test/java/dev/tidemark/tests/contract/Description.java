package dev.tidemark.tests.contract;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tidemark.gateway.openapi.ApiDescription;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** The OpenAPI description, as a map of places and what is answered there. Immutable. */
final class Description {

  private static final String ELSEWHERE = "x-elsewhere";
  private static final ObjectMapper JSON = new ObjectMapper();

  private final JsonNode root;
  private final List<Template> templates;

  private record Template(String path, Pattern pattern) {
    static Template of(String path) {
      return new Template(
          path, Pattern.compile("\\Q" + path.replaceAll("\\{[^}]+}", "\\\\E[^/]+\\\\Q") + "\\E"));
    }

    long variables() {
      return path.chars().filter(c -> c == '{').count();
    }
  }

  private Description(JsonNode root) {
    this.root = root;
    this.templates =
        root.path("paths").properties().stream()
            .map(path -> Template.of(path.getKey()))
            .sorted(Comparator.comparingLong(Template::variables))
            .toList();
  }

  /** The one that this build's gateway serves. */
  static Description load() {
    return parse(ApiDescription.load().json());
  }

  static Description parse(String json) {
    try {
      return new Description(JSON.readTree(json));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("the description is no JSON", e);
    }
  }

  JsonNode root() {
    return root;
  }

  /** Where a request's answer stands. */
  Place place(String method, String path, int status) {
    String bare = path.split("\\?", 2)[0];
    return templates.stream()
        .filter(template -> template.pattern().matcher(bare).matches())
        .findFirst()
        .filter(template -> operation(template.path(), method).isObject())
        .map(template -> new Place(template.path(), method, status))
        .orElseGet(() -> Place.elsewhere(status));
  }

  /** What is answered there; empty when nothing is described. */
  Optional<JsonNode> response(Place place) {
    JsonNode responses =
        place.path().equals(Place.ELSEWHERE)
            ? root.path(ELSEWHERE)
            : operation(place.path(), place.method()).path("responses");
    return Optional.ofNullable(responses.get(Integer.toString(place.status()))).map(this::resolve);
  }

  /** Every answer that is described. */
  SortedSet<Place> places() {
    SortedSet<Place> places = new TreeSet<>();
    for (Map.Entry<String, JsonNode> path : root.path("paths").properties()) {
      for (Map.Entry<String, JsonNode> operation : path.getValue().properties()) {
        for (Map.Entry<String, JsonNode> response :
            operation.getValue().path("responses").properties()) {
          places.add(
              new Place(
                  path.getKey(),
                  operation.getKey().toUpperCase(Locale.ROOT),
                  Integer.parseInt(response.getKey())));
        }
      }
    }
    root.path(ELSEWHERE)
        .fieldNames()
        .forEachRemaining(status -> places.add(Place.elsewhere(Integer.parseInt(status))));
    return places;
  }

  /** The headers that every answer may have, by name. */
  JsonNode everyAnswersHeaders() {
    return root.at("/x-every-answer/headers");
  }

  /** The schemas of problems, by their type. */
  Map<String, JsonNode> problems() {
    Map<String, JsonNode> problems = new TreeMap<>();
    for (JsonNode schema : root.at("/components/schemas")) {
      JsonNode type = schema.at("/properties/type/const");
      if (type.isTextual()) {
        problems.put(type.asText(), schema);
      }
    }
    return problems;
  }

  /** The node itself, or the component that it refers to. */
  JsonNode resolve(JsonNode node) {
    JsonNode reference = node.path("$ref");
    return reference.isTextual() ? root.at(reference.asText().substring(1)) : node;
  }

  /** A schema that can stand alone: it carries the components that it refers to. */
  ObjectNode standalone(JsonNode schema) {
    ObjectNode alone = schema.deepCopy();
    alone.set("components", root.path("components").deepCopy());
    return alone;
  }

  private JsonNode operation(String path, String method) {
    return root.path("paths").path(path).path(method.toLowerCase(Locale.ROOT));
  }
}
