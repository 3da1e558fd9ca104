package dev.tidemark.topics.yaml;

import java.util.Optional;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.schema.FailsafeSchema;

/** Makes nodes of a text. */
public final class YamlText {

  private YamlText() {}

  /**
   * The root node of a text.
   *
   * @param needs what a file must have, for the message about an empty one: "slot and routes"
   * @return empty, and a problem, when the text is empty or no YAML
   */
  public static Optional<Node> compose(String yaml, String needs, Problems problems) {
    LoadSettings settings = LoadSettings.builder().setSchema(new FailsafeSchema()).build();
    try {
      Optional<Node> node = new Compose(settings).composeString(yaml);
      if (node.isEmpty()) {
        problems.at(1, "the file is empty; it needs at least " + needs);
      }
      return node;
    } catch (MarkedYamlEngineException e) {
      int line = e.getProblemMark().or(e::getContextMark).map(Mark::getLine).orElse(0) + 1;
      String context = Optional.ofNullable(e.getContext()).map(text -> text + ": ").orElse("");
      // The usual case: `type: text[]` within braces, where a bracket begins a list.
      String hint =
          e.getProblem().endsWith("but got [") ? "; put a type such as \"text[]\" in quotes" : "";
      problems.at(line, "not YAML: " + context + e.getProblem() + hint);
    } catch (YamlEngineException e) {
      problems.at(1, "not YAML: " + e.getMessage());
    }
    return Optional.empty();
  }
}
