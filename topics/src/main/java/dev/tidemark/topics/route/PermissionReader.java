package dev.tidemark.topics.route;

import dev.tidemark.topics.yaml.Problems;
import dev.tidemark.topics.yaml.YamlMap;
import dev.tidemark.topics.yaml.YamlValues;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.snakeyaml.engine.v2.nodes.Node;

/**
 * Reads {@code permissions}. Who is not named under a key that is present has no right: an entry
 * without {@code write} means that nobody writes.
 */
final class PermissionReader {

  private static final List<String> KEYS = List.of("read", "write");

  private final Problems problems;

  PermissionReader(Problems problems) {
    this.problems = problems;
  }

  Map<String, Permission> read(Node node) {
    Map<String, Permission> permissions = new LinkedHashMap<>();
    YamlMap.of(node, "`permissions`", problems)
        .ifPresent(
            map ->
                map.values()
                    .forEach(
                        (name, value) ->
                            YamlMap.of(value, "the permission of `" + name + "`", problems)
                                .ifPresent(entry -> permissions.put(name, permission(entry)))));
    return permissions;
  }

  private Permission permission(YamlMap map) {
    map.knowing(KEYS);
    if (!map.has("read") && !map.has("write")) {
      problems.at(map.node(), "a permission names roles under `read`, `write` or both");
    }
    return new Permission(roles(map, "read"), roles(map, "write"));
  }

  private List<String> roles(YamlMap map, String key) {
    return map.get(key)
        .map(node -> YamlValues.texts(node, "`" + key + "`", problems))
        .orElse(List.of());
  }
}
