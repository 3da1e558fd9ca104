package dev.tidemark.topics.yaml;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;

/** One map of the file, by its keys. Duplicate keys are problems, and the first one counts. */
public final class YamlMap {

  private final Node node;
  private final String what;
  private final Problems problems;
  private final Map<String, NodeTuple> entries = new LinkedHashMap<>();

  private YamlMap(Node node, String what, Problems problems) {
    this.node = node;
    this.what = what;
    this.problems = problems;
  }

  /**
   * Reads a map.
   *
   * @param what what the map is, for messages: "a route"
   * @return empty, and a problem, when the node is no map
   */
  public static Optional<YamlMap> of(Node node, String what, Problems problems) {
    if (!(node instanceof MappingNode mapping)) {
      problems.at(node, "%s must be a map, but is %s".formatted(what, YamlValues.kind(node)));
      return Optional.empty();
    }
    YamlMap map = new YamlMap(node, what, problems);
    mapping.getValue().forEach(map::add);
    return Optional.of(map);
  }

  private void add(NodeTuple entry) {
    YamlValues.text(entry.getKeyNode(), "a key of " + what, problems)
        .ifPresent(
            key -> {
              NodeTuple first = entries.putIfAbsent(key, entry);
              if (first != null) {
                problems.at(
                    entry.getKeyNode(),
                    "%s has the key `%s` twice; the first is on line %d"
                        .formatted(what, key, Problems.line(first.getKeyNode())));
              }
            });
  }

  /** Reports every key that is not among the known ones. */
  public YamlMap knowing(List<String> known) {
    entries.forEach(
        (key, entry) -> {
          if (!known.contains(key)) {
            problems.at(
                entry.getKeyNode(),
                "%s has the unknown key `%s`%s (known: %s)"
                    .formatted(what, key, NearName.hint(key, known), String.join(", ", known)));
          }
        });
    return this;
  }

  /** Whether the key is there, whatever its value. */
  public boolean has(String key) {
    return entries.containsKey(key);
  }

  /** The values, by key, in the order of the file. */
  public Map<String, Node> values() {
    Map<String, Node> values = new LinkedHashMap<>();
    entries.forEach((key, entry) -> values.put(key, entry.getValueNode()));
    return values;
  }

  /** The value of a key that may be absent. */
  public Optional<Node> get(String key) {
    return Optional.ofNullable(entries.get(key)).map(NodeTuple::getValueNode);
  }

  /** The value of a key; a problem when it is absent. */
  public Optional<Node> require(String key) {
    if (!has(key)) {
      problems.at(node, "%s lacks the key `%s`".formatted(what, key));
    }
    return get(key);
  }

  /** The text of a key that may be absent. */
  public Optional<String> text(String key) {
    return get(key).flatMap(value -> YamlValues.text(value, "`" + key + "`", problems));
  }

  /** The text of a key; a problem when it is absent. */
  public Optional<String> requireText(String key) {
    return require(key).flatMap(value -> YamlValues.text(value, "`" + key + "`", problems));
  }

  /** The node of the map, for problems of the map as a whole. */
  public Node node() {
    return node;
  }

  /** The node of a value, or of the map when the key is absent. */
  public Node at(String key) {
    return get(key).orElse(node);
  }
}
