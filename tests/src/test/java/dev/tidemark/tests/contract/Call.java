package dev.tidemark.tests.contract;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tidemark.standalone.client.Answer;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * One request that the scene's gateways serve, for tests of what all operations have in common.
 *
 * @param method in upper case
 * @param path without variables
 */
record Call(String method, String path) {

  private static final Map<String, String> VALUES =
      Map.of(
          "doctype", "Waybill",
          "name", "W",
          "target", "replica_waybill",
          "key", "W",
          "file", "tidemark.js",
          "role", "projector");

  /** A call of each operation of the description whose path begins so. */
  static List<Call> all(Description description, String prefix) {
    return description.places().stream()
        .filter(place -> place.path().startsWith(prefix))
        .map(place -> new Call(place.method(), filled(place.path())))
        .distinct()
        .toList();
  }

  private static String filled(String template) {
    String path = template;
    for (Map.Entry<String, String> value : VALUES.entrySet()) {
      path = path.replace("{" + value.getKey() + "}", value.getValue());
    }
    if (path.contains("{")) {
      throw new IllegalStateException("no value for a variable of " + template + ": add one above");
    }
    return path;
  }

  /** Sends it, with a body where the method has one. */
  Answer by(ContractCaller caller, String... headers) throws IOException, InterruptedException {
    boolean body = method.equals("PUT") || method.equals("PATCH");
    String json = path.startsWith("/api/ops/") ? "false" : "{}";
    return caller.send(method, path, body ? json.getBytes(UTF_8) : null, headers);
  }

  @Override
  public String toString() {
    return method + " " + path;
  }
}
