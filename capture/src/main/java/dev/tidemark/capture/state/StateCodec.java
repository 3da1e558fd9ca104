package dev.tidemark.capture.state;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tidemark.topics.Generation;
import dev.tidemark.topics.Lsn;
import dev.tidemark.topics.ServerIdentity;
import java.util.Optional;

/**
 * The JSON form of {@link PipelineState} in the offsets topic, which operators may read with any
 * Kafka consumer.
 */
final class StateCodec {

  private static final ObjectMapper JSON = new ObjectMapper();

  private StateCodec() {}

  static String write(PipelineState state) {
    ObjectNode node = JSON.createObjectNode();
    node.put("generation", state.generation().number());
    node.put("history", state.generation().history());
    node.put("log", state.log());
    node.put("routes", state.routes());
    node.put("systemIdentifier", state.server().systemIdentifier());
    node.put("timeline", state.server().timeline());
    node.put("database", state.server().database());
    node.set("source", JSON.valueToTree(state.tables()));
    node.put("run", state.run());
    state.position().ifPresent(position -> node.put("lsn", position.toString()));
    return node.toString();
  }

  static PipelineState read(String text) {
    try {
      JsonNode node = JSON.readTree(text);
      return new PipelineState(
          new Generation(
              node.required("generation").intValue(), node.required("history").textValue()),
          node.required("log").textValue(),
          node.required("routes").textValue(),
          new ServerIdentity(
              node.required("systemIdentifier").textValue(),
              node.required("timeline").intValue(),
              node.required("database").textValue()),
          node.has("source")
              ? JSON.treeToValue(node.get("source"), SourceTables.class)
              : SourceTables.NONE,
          node.path("run").intValue(),
          Optional.ofNullable(node.get("lsn")).map(JsonNode::textValue).map(Lsn::parse));
    } catch (JsonProcessingException | IllegalArgumentException e) {
      throw new IllegalStateException(
          "the state in the pipeline's offsets topic cannot be read; delete the topic to start a new generation",
          e);
    }
  }
}
