package dev.tidemark.topics.route;

import dev.tidemark.topics.yaml.Problems;
import dev.tidemark.topics.yaml.YamlMap;
import dev.tidemark.topics.yaml.YamlText;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.nodes.Node;

/**
 * Reads a route file and checks all of it that can be checked without a database. {@link
 * dev.tidemark.topics.schema.RouteResolver} checks the rest.
 */
public final class RouteFileParser {

  /** {@code poll_ms} belongs to the files of an earlier tool: read, and without effect. */
  private static final List<String> KEYS =
      List.of(
          "pipeline",
          "slot",
          "publication",
          "partitions",
          "poll_ms",
          "documents",
          "permissions",
          "routes");

  private static final int MOST_PARTITIONS = 1024;
  private static final Pattern NUMBER = Pattern.compile("[1-9][0-9]{0,8}");

  private final Problems problems;

  private RouteFileParser(Problems problems) {
    this.problems = problems;
  }

  /**
   * Parses a file.
   *
   * @param fileName the name under which problems are reported
   * @param yaml the file's text
   * @throws RouteFileException when anything is wrong; it carries all problems at once, except that
   *     a text that is no YAML has one problem only
   */
  public static RouteFile parse(String fileName, String yaml) {
    Problems problems = new Problems(fileName);
    Optional<RouteFile> file =
        YamlText.compose(yaml, "slot, publication and routes", problems)
            .flatMap(node -> YamlMap.of(node, "a route file", problems))
            .flatMap(new RouteFileParser(problems)::file);
    if (!problems.sorted().isEmpty()) {
      throw new RouteFileException(problems.sorted());
    }
    return file.orElseThrow(() -> new IllegalStateException("a file is read, or has problems"));
  }

  private Optional<RouteFile> file(YamlMap map) {
    map.knowing(KEYS);
    Optional<String> slot = checked(map, map.requireText("slot"), "slot", NameRules::slot);
    Optional<String> publication =
        checked(map, map.requireText("publication"), "publication", NameRules::slot);
    Optional<String> pipeline =
        checked(map, map.text("pipeline"), "pipeline", NameRules::pipeline).or(() -> slot);
    int partitions =
        map.text("partitions")
            .map(text -> partitions(map, text))
            .orElse(RouteFile.DEFAULT_PARTITIONS);
    TableName documents =
        map.get("documents").flatMap(this::documents).orElse(RouteFile.DEFAULT_DOCUMENTS);
    Map<String, Permission> permissions =
        map.get("permissions").map(new PermissionReader(problems)::read).orElse(Map.of());
    RouteReader reader = new RouteReader(problems, documents);
    Optional<List<Route>> routes = map.require("routes").map(reader::read);
    if (pipeline.isEmpty() || slot.isEmpty() || publication.isEmpty() || routes.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new RouteFile(
            pipeline.get(),
            slot.get(),
            publication.get(),
            partitions,
            documents,
            permissions,
            reader.policies(),
            routes.get()));
  }

  private Optional<String> checked(
      YamlMap map, Optional<String> name, String key, Function<String, Optional<String>> rule) {
    name.flatMap(rule)
        .ifPresent(
            broken ->
                problems.at(
                    map.at(key),
                    "`%s` cannot be a %s: %s".formatted(name.orElse(""), key, broken)));
    return name;
  }

  private int partitions(YamlMap map, String text) {
    if (NUMBER.matcher(text).matches()) {
      int number = Integer.parseInt(text);
      if (number <= MOST_PARTITIONS) {
        return number;
      }
    }
    problems.at(
        map.at("partitions"),
        "`partitions: %s` is not a whole number from 1 to %d".formatted(text, MOST_PARTITIONS));
    return RouteFile.DEFAULT_PARTITIONS;
  }

  private Optional<TableName> documents(Node node) {
    return YamlMap.of(node, "`documents`", problems)
        .map(map -> map.knowing(List.of("table")))
        .flatMap(map -> map.require("table"))
        .flatMap(table -> TableNames.read(table, problems));
  }
}
