package dev.tidemark.tests.contract;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tidemark.gateway.openapi.ApiDescription;
import dev.tidemark.gateway.problem.ProblemKind;
import io.swagger.v3.oas.models.SpecVersion;
import io.swagger.v3.parser.OpenAPIV3Parser;
import io.swagger.v3.parser.core.models.ParseOptions;
import io.swagger.v3.parser.core.models.SwaggerParseResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The description is valid, and the code and docs/reference say the same as it does. */
class DescriptionTest {

  private static final Path DOCS = Path.of("..", "docs", "reference");

  /** A row of the tables of errors.md: a type and its status. */
  private static final Pattern ROW =
      Pattern.compile("^\\| `([a-z-]+)` \\| (\\d{3}) \\|", Pattern.MULTILINE);

  private static final Pattern VARIABLE = Pattern.compile("\\{[^}]+}");

  private static final Description DESCRIPTION = Description.load();

  @Test
  void itIsAValidDescription() {
    SwaggerParseResult read =
        new OpenAPIV3Parser().readContents(ApiDescription.load().yaml(), null, new ParseOptions());

    assertThat(read.getMessages()).isEmpty();
    assertThat(read.getOpenAPI().getSpecVersion()).isEqualTo(SpecVersion.V31);
    assertThat(read.getOpenAPI().getPaths()).hasSameSizeAs(DESCRIPTION.root().path("paths"));
  }

  /** What the parser above lets pass. */
  @Test
  void everyReferenceLeadsSomewhereAndEveryVariableIsDeclared() {
    for (JsonNode reference : DESCRIPTION.root().findValues("$ref")) {
      assertThat(DESCRIPTION.root().at(reference.asText().substring(1)).isMissingNode())
          .as(reference.asText())
          .isFalse();
    }
    DESCRIPTION
        .root()
        .path("paths")
        .properties()
        .forEach(
            path -> {
              Set<String> declared = new TreeSet<>();
              for (JsonNode parameter : path.getValue().path("parameters")) {
                JsonNode resolved = DESCRIPTION.resolve(parameter);
                if (resolved.path("in").asText().equals("path")) {
                  declared.add("{" + resolved.path("name").asText() + "}");
                }
              }
              assertThat(VARIABLE.matcher(path.getKey()).results().map(MatchResult::group))
                  .as(path.getKey())
                  .containsExactlyInAnyOrderElementsOf(declared);
            });
  }

  @Test
  void thePageOnErrorsListsEveryProblemOfTheCode() throws IOException {
    Map<String, Integer> listed =
        ROW.matcher(page("errors.md"))
            .results()
            .collect(
                toMap(
                    (MatchResult row) -> "urn:tidemark:problem:" + row.group(1),
                    row -> Integer.parseInt(row.group(2))));

    assertThat(new TreeMap<>(listed))
        .isEqualTo(
            new TreeMap<>(
                Arrays.stream(ProblemKind.values())
                    .collect(toMap(ProblemKind::type, ProblemKind::status))));
  }

  @Test
  void theDescriptionHasEveryProblemOfTheCodeWithItsStatusAndTitle() {
    Map<String, String> described = new TreeMap<>();
    DESCRIPTION
        .problems()
        .forEach(
            (type, schema) ->
                described.put(
                    type,
                    schema.at("/properties/status/const").asInt()
                        + " "
                        + schema.at("/properties/title/const").asText()));
    Map<String, String> coded = new TreeMap<>();
    for (ProblemKind kind : ProblemKind.values()) {
      coded.put(kind.type(), kind.status() + " " + kind.title());
    }

    assertThat(described).isEqualTo(coded);
  }

  @Test
  void everyProblemIsAnsweredSomewhereAndUnderItsOwnStatusOnly() {
    Set<String> answered = new TreeSet<>();
    for (Place place : DESCRIPTION.places()) {
      JsonNode schema =
          DESCRIPTION
              .response(place)
              .orElseThrow()
              .path("content")
              .path("application/problem+json")
              .path("schema");
      for (JsonNode problem : schema.has("oneOf") ? schema.path("oneOf") : Set.of(schema)) {
        JsonNode properties = DESCRIPTION.resolve(problem).path("properties");
        if (!schema.isMissingNode()) {
          assertThat(properties.at("/status/const").asInt())
              .as(place.toString())
              .isEqualTo(place.status());
          answered.add(properties.at("/type/const").asText());
        }
      }
    }

    assertThat(answered).isEqualTo(DESCRIPTION.problems().keySet());
  }

  @Test
  void thePagesNameEveryPathAndHeaderOfTheDescription() throws IOException {
    Set<String> names = new TreeSet<>();
    DESCRIPTION.root().path("paths").fieldNames().forEachRemaining(names::add);
    DESCRIPTION.everyAnswersHeaders().fieldNames().forEachRemaining(names::add);
    for (Place place : DESCRIPTION.places()) {
      DESCRIPTION
          .response(place)
          .orElseThrow()
          .path("headers")
          .fieldNames()
          .forEachRemaining(names::add);
    }
    for (JsonNode parameter : DESCRIPTION.root().at("/components/parameters")) {
      if (parameter.path("in").asText().equals("header")) {
        names.add(parameter.path("name").asText());
      }
    }

    assertThat(page("http.md") + page("errors.md")).contains(names);
  }

  private static String page(String name) throws IOException {
    return Files.readString(DOCS.resolve(name));
  }
}
