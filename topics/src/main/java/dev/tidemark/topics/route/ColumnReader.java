package dev.tidemark.topics.route;

import dev.tidemark.topics.yaml.NearName;
import dev.tidemark.topics.yaml.Problems;
import dev.tidemark.topics.yaml.YamlMap;
import dev.tidemark.topics.yaml.YamlValues;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/** Reads the {@code columns} of one route. */
final class ColumnReader {

  private static final List<String> KEYS = List.of("name", "from", "transform", "type");

  /** Transforms as a route file names them: {@code none} is what leaving the key out means. */
  private static final List<String> TRANSFORMS =
      Arrays.stream(Transform.values())
          .filter(transform -> transform != Transform.NONE)
          .map(transform -> transform.name().toLowerCase(Locale.ROOT))
          .toList();

  private static final ColumnType LENGTH_TYPE = new ColumnType(ColumnType.Scalar.INTEGER, false);

  private final Problems problems;
  private final boolean document;

  /**
   * @param document whether the columns belong to a document route, whose key is {@code name} and
   *     whose types default to text
   */
  ColumnReader(Problems problems, boolean document) {
    this.problems = problems;
    this.document = document;
  }

  List<ColumnMapping> read(Node node) {
    List<ColumnMapping> columns = new ArrayList<>();
    Map<String, Integer> lines = new HashMap<>();
    List<Node> entries = YamlValues.list(node, "`columns`", problems).orElse(List.of());
    if (node instanceof SequenceNode && entries.isEmpty()) {
      problems.at(node, "`columns` is empty; name at least one column");
    }
    for (Node entry : entries) {
      YamlMap.of(entry, "a column", problems)
          .map(map -> map.knowing(KEYS))
          .flatMap(map -> column(map, lines))
          .ifPresent(columns::add);
    }
    return columns;
  }

  private Optional<ColumnMapping> column(YamlMap map, Map<String, Integer> lines) {
    Optional<String> name = map.requireText("name");
    name.ifPresent(text -> checkName(map.at("name"), text, lines));
    Optional<SourcePath> from = map.require("from").flatMap(this::path);
    Transform transform =
        map.text("transform").map(text -> transform(map, text)).orElse(Transform.NONE);
    Optional<ColumnType> type = map.text("type").flatMap(text -> type(map, text));
    if (transform == Transform.LENGTH) {
      type.filter(declared -> !countable(declared))
          .ifPresent(
              declared ->
                  problems.at(
                      map.at("type"),
                      "`length` is a number: its type is integer or bigint, not "
                          + map.text("type").orElse("")));
      type = type.or(() -> Optional.of(LENGTH_TYPE));
    } else if (document) {
      type = type.or(() -> Optional.of(ColumnType.TEXT));
    }
    if (name.isEmpty() || from.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(new ColumnMapping(name.get(), from.get(), transform, type));
  }

  private void checkName(Node node, String name, Map<String, Integer> lines) {
    NameRules.column(name)
        .or(
            () ->
                document && name.equals("name")
                    ? Optional.of(
                        "it is the key of a document route, which every row has already; choose"
                            + " another")
                    : Optional.empty())
        .ifPresent(
            rule -> problems.at(node, "`%s` cannot be a column's name: %s".formatted(name, rule)));
    Integer first = lines.putIfAbsent(name, Problems.line(node));
    if (first != null) {
      problems.at(
          node,
          "the route has the column `%s` twice; the first is on line %d".formatted(name, first));
    }
  }

  /** A dotted path, or a list of names for names that hold dots themselves. */
  private Optional<SourcePath> path(Node node) {
    List<String> segments;
    if (node instanceof SequenceNode sequence) {
      if (sequence.getValue().isEmpty()) {
        problems.at(node, "`from` is an empty list; name where the value comes from");
        return Optional.empty();
      }
      segments =
          sequence.getValue().stream()
              .flatMap(item -> YamlValues.text(item, "an entry of `from`", problems).stream())
              .toList();
      if (segments.size() < sequence.getValue().size()) {
        return Optional.empty();
      }
    } else {
      Optional<String> text = YamlValues.text(node, "`from`", problems);
      if (text.isEmpty()) {
        return Optional.empty();
      }
      segments = List.of(text.get().split("\\.", -1));
      if (segments.contains("")) {
        problems.at(
            node,
            "`from: %s` has an empty name between its dots; for a name that holds a dot write a list:"
                    .formatted(text.get())
                + " from: [\"a.b\"]");
        return Optional.empty();
      }
    }
    if (!document) {
      NameRules.existing(segments.getFirst())
          .ifPresent(rule -> problems.at(node, "`from` names no column of a table: " + rule));
    }
    return Optional.of(new SourcePath(segments));
  }

  private Transform transform(YamlMap map, String text) {
    if (!TRANSFORMS.contains(text)) {
      problems.at(
          map.at("transform"),
          "unknown transform `%s`%s (allowed: %s)"
              .formatted(text, NearName.hint(text, TRANSFORMS), String.join(", ", TRANSFORMS)));
      return Transform.NONE;
    }
    return Transform.valueOf(text.toUpperCase(Locale.ROOT));
  }

  private Optional<ColumnType> type(YamlMap map, String text) {
    Optional<ColumnType> type = ColumnType.of(text);
    if (type.isEmpty()) {
      List<String> words =
          Arrays.stream(ColumnType.Scalar.values()).map(ColumnType.Scalar::word).toList();
      problems.at(
          map.at("type"),
          "unknown type `%s`%s (allowed: %s, and arrays such as \"text[]\" of all but jsonb)"
              .formatted(text, NearName.hint(text, words), ColumnType.allowed()));
    }
    return type;
  }

  private static boolean countable(ColumnType type) {
    return !type.array()
        && (type.scalar() == ColumnType.Scalar.INTEGER
            || type.scalar() == ColumnType.Scalar.BIGINT);
  }
}
