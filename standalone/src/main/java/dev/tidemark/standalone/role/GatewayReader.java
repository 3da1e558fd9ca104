package dev.tidemark.standalone.role;

import dev.tidemark.gateway.DatabaseConfig;
import dev.tidemark.gateway.GatewayConfig;
import dev.tidemark.gateway.TokenKeys;
import dev.tidemark.topics.yaml.YamlMap;
import dev.tidemark.topics.yaml.YamlValues;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.nodes.Node;

/** Reads {@code gateway}. */
final class GatewayReader {

  private static final List<String> KEY_SOURCES = List.of("issuer", "jwkSetUri", "jwkSetFile");
  private static final List<String> KEYS =
      List.of(
          "host",
          "port",
          "issuer",
          "jwkSetUri",
          "jwkSetFile",
          "audience",
          "allowedOrigins",
          "poolSize",
          "maxDocumentBytes",
          "maxWaitingReads",
          "requestsPerSecond",
          "opsPort");

  /** As {@link GatewayConfig} has it. */
  private static final Pattern ORIGIN = Pattern.compile("https?://[^/\\s*]+");

  private static final int HIGHEST_PORT = 65_535;
  private static final int LARGEST_POOL = 200;
  private static final int SMALLEST_BODY = 1 << 10;
  private static final int LARGEST_BODY = 256 << 20;

  private final Values values;

  GatewayReader(Values values) {
    this.values = values;
  }

  /**
   * Reads the section.
   *
   * @param needed whether this process is a gateway; if not, no other file is looked at
   */
  Optional<HttpSettings> read(YamlMap file, boolean needed) {
    return values.section(file, "gateway", KEYS, needed).flatMap(map -> settings(map, needed));
  }

  private Optional<HttpSettings> settings(YamlMap map, boolean needed) {
    Optional<TokenKeys> keys = tokenKeys(map, needed);
    String host = map.text("host").orElse(HttpSettings.DEFAULT_HOST);
    int port = values.number(map, "port", 0, HIGHEST_PORT, HttpSettings.DEFAULT_PORT);
    Optional<String> audience = map.text("audience");
    List<String> origins = map.get("allowedOrigins").map(this::origins).orElse(List.of());
    int poolSize =
        values.number(map, "poolSize", 1, LARGEST_POOL, DatabaseConfig.DEFAULT_POOL_SIZE);
    int maxDocumentBytes =
        values.number(
            map,
            "maxDocumentBytes",
            SMALLEST_BODY,
            LARGEST_BODY,
            GatewayConfig.DEFAULT_MAX_DOCUMENT_BYTES);
    int maxWaitingReads =
        values.number(
            map,
            "maxWaitingReads",
            0,
            GatewayConfig.MOST_WAITING_READS,
            GatewayConfig.defaultMaxWaitingReads());
    OptionalInt requestsPerSecond =
        values.number(map, "requestsPerSecond", 1, GatewayConfig.MOST_REQUESTS_PER_SECOND);
    OptionalInt opsPort = values.number(map, "opsPort", 0, HIGHEST_PORT);
    if (port > 0 && opsPort.equals(OptionalInt.of(port))) {
      values
          .problems()
          .at(
              map.at("opsPort"),
              "`opsPort` and `port` are both %d; give health and metrics another port"
                  .formatted(port));
    }
    return keys.map(
        found ->
            new HttpSettings(
                host,
                port,
                found,
                audience,
                origins,
                poolSize,
                maxDocumentBytes,
                maxWaitingReads,
                requestsPerSecond,
                opsPort));
  }

  private Optional<TokenKeys> tokenKeys(YamlMap map, boolean needed) {
    List<String> given = KEY_SOURCES.stream().filter(map::has).toList();
    if (given.size() > 1) {
      values
          .problems()
          .at(
              map.at(given.get(1)),
              "`%s` and `%s` both say where tokens' keys come from; keep one"
                  .formatted(given.get(0), given.get(1)));
      return Optional.empty();
    }
    if (given.isEmpty()) {
      if (needed) {
        values
            .problems()
            .at(
                map.node(),
                "nothing says where tokens' keys come from; give `issuer`, `jwkSetUri` or"
                    + " `jwkSetFile`");
      }
      return Optional.empty();
    }
    return switch (given.getFirst()) {
      case "issuer" -> values.uri(map, "issuer").map(TokenKeys.Issuer::new);
      case "jwkSetUri" -> values.uri(map, "jwkSetUri").map(TokenKeys.JwkSetUri::new);
      default ->
          values
              .path(map, "jwkSetFile", true)
              .filter(file -> needed)
              .flatMap(file -> keySet(map, file));
    };
  }

  private Optional<TokenKeys> keySet(YamlMap map, Path file) {
    try {
      return Optional.of(new TokenKeys.JwkSet(Files.readString(file)));
    } catch (IOException e) {
      values.problems().at(map.at("jwkSetFile"), "the key set " + file + " can't be read: " + e);
      return Optional.empty();
    }
  }

  private List<String> origins(Node node) {
    List<String> origins = new ArrayList<>();
    for (Node item :
        YamlValues.list(node, "`allowedOrigins`", values.problems()).orElse(List.of())) {
      YamlValues.text(item, "an entry of `allowedOrigins`", values.problems())
          .ifPresent(
              origin -> {
                if (ORIGIN.matcher(origin).matches()) {
                  origins.add(origin);
                } else {
                  values
                      .problems()
                      .at(
                          item,
                          "`%s` is no origin: write scheme, host and port without a path or a wildcard, such as https://care.example"
                              .formatted(origin));
                }
              });
    }
    return origins;
  }
}
