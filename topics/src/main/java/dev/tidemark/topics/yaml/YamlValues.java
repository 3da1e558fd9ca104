package dev.tidemark.topics.yaml;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/**
 * Reads texts and lists from YAML nodes. A scalar is the text that was written, whatever YAML's
 * schemas would make of it: {@code no} is not false, {@code 1.10} is not 1.1.
 */
public final class YamlValues {

  private static final Set<String> NULLS = Set.of("", "~", "null", "Null", "NULL");

  private YamlValues() {}

  /** The text of a scalar; empty, and a problem, for anything else and for nothing. */
  public static Optional<String> text(Node node, String what, Problems problems) {
    if (!(node instanceof ScalarNode scalar)) {
      problems.at(node, what + " must be a text, but is " + kind(node));
      return Optional.empty();
    }
    if (scalar.isPlain() && NULLS.contains(scalar.getValue())) {
      String found =
          scalar.getValue().isEmpty() ? "nothing" : "`" + scalar.getValue() + "`, YAML's null";
      String remedy =
          scalar.getValue().isEmpty()
              ? "give it a value, or remove the key"
              : "put it in quotes if it is a name";
      problems.at(node, "%s is %s; %s".formatted(what, found, remedy));
      return Optional.empty();
    }
    if (scalar.getValue().isEmpty()) {
      problems.at(node, what + " is an empty text; give it a value");
      return Optional.empty();
    }
    if (!scalar.getTag().equals(Tag.STR)) {
      problems.at(node, "%s has the tag %s; remove the tag".formatted(what, scalar.getTag()));
      return Optional.empty();
    }
    return Optional.of(scalar.getValue());
  }

  /** The nodes of a list; empty, and a problem, for anything else. */
  public static Optional<List<Node>> list(Node node, String what, Problems problems) {
    if (node instanceof SequenceNode sequence) {
      return Optional.of(sequence.getValue());
    }
    problems.at(node, what + " must be a list, but is " + kind(node));
    return Optional.empty();
  }

  /** The texts of a list, each once; what is no text is a problem and left out. */
  public static List<String> texts(Node node, String what, Problems problems) {
    List<String> texts = new ArrayList<>();
    for (Node item : list(node, what, problems).orElse(List.of())) {
      Optional<String> text = text(item, "an entry of " + what, problems);
      if (text.isPresent() && texts.contains(text.get())) {
        problems.at(item, "%s names `%s` twice".formatted(what, text.get()));
      } else {
        text.ifPresent(texts::add);
      }
    }
    return texts;
  }

  /** What a node is, for messages. */
  public static String kind(Node node) {
    return switch (node.getNodeType()) {
      case MAPPING -> "a map";
      case SEQUENCE -> "a list";
      case SCALAR ->
          node instanceof ScalarNode scalar && scalar.isPlain() && NULLS.contains(scalar.getValue())
              ? "empty"
              : "a text";
      case ANCHOR -> "an anchor";
    };
  }
}
