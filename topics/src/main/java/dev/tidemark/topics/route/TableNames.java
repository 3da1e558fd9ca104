package dev.tidemark.topics.route;

import dev.tidemark.topics.yaml.Problems;
import dev.tidemark.topics.yaml.YamlValues;
import java.util.List;
import java.util.Optional;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/** Reads names of source tables. */
final class TableNames {

  private static final String DEFAULT_SCHEMA = "public";

  private TableNames() {}

  /**
   * {@code name}, {@code schema.name} (the first dot splits), or a list of both for a schema whose
   * name holds a dot.
   */
  static Optional<TableName> read(Node node, Problems problems) {
    Optional<TableName> name =
        node instanceof SequenceNode sequence ? pair(sequence, problems) : text(node, problems);
    name.ifPresent(
        table -> {
          check(node, table.schema(), "schema", problems);
          check(node, table.name(), "table", problems);
        });
    return name;
  }

  private static Optional<TableName> pair(SequenceNode node, Problems problems) {
    List<String> parts =
        node.getValue().stream()
            .flatMap(item -> YamlValues.text(item, "an entry of `table`", problems).stream())
            .toList();
    if (node.getValue().size() != 2) {
      problems.at(node, "`table` as a list has two entries: [schema, name]");
    }
    return parts.size() == 2
        ? Optional.of(new TableName(parts.getFirst(), parts.getLast()))
        : Optional.empty();
  }

  private static Optional<TableName> text(Node node, Problems problems) {
    Optional<String> text = YamlValues.text(node, "`table`", problems);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    int dot = text.get().indexOf('.');
    if (dot < 0) {
      return Optional.of(new TableName(DEFAULT_SCHEMA, text.get()));
    }
    if (dot == 0 || dot == text.get().length() - 1) {
      problems.at(
          node,
          "`table: %s` has an empty name beside its dot; write schema.name".formatted(text.get()));
      return Optional.empty();
    }
    return Optional.of(new TableName(text.get().substring(0, dot), text.get().substring(dot + 1)));
  }

  private static void check(Node node, String name, String what, Problems problems) {
    NameRules.existing(name)
        .ifPresent(
            rule -> problems.at(node, "`%s` is no %s's name: %s".formatted(name, what, rule)));
  }
}
