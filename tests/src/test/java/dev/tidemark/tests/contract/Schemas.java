package dev.tidemark.tests.contract;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.Error;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.dialect.Dialects;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Checks values against schemas of the description, more strictly than clients may: a member that
 * is not described is a deviation, though the contract may be extended. Thread-safe.
 */
final class Schemas {

  private static final SchemaRegistry REGISTRY =
      SchemaRegistry.withDialect(Dialects.getOpenApi31());

  private final Description description;
  private final Map<JsonNode, Schema> compiled = new ConcurrentHashMap<>();

  Schemas(Description description) {
    this.description = description;
  }

  /** What does not fit; empty when the JSON text is valid. */
  List<String> deviations(JsonNode schema, String json) {
    return compiled.computeIfAbsent(schema, this::compile).validate(json, InputFormat.JSON).stream()
        .map(Error::toString)
        .toList();
  }

  private Schema compile(JsonNode schema) {
    ObjectNode alone = description.standalone(schema);
    // What others build on must leave them room for members of their own.
    JsonNode base = alone.at("/components/schemas/Problem");
    close(alone, base);
    return REGISTRY.getSchema(alone.toString());
  }

  private static void close(JsonNode node, JsonNode base) {
    if (node instanceof ObjectNode object
        && node != base
        && object.path("properties").isObject()
        && !object.has("additionalProperties")) {
      object.put("unevaluatedProperties", false);
    }
    node.forEach(child -> close(child, base));
  }
}
