package dev.tidemark.standalone.role;

import dev.tidemark.gateway.TokenKeys;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The gateway's section of the file; {@link dev.tidemark.gateway.GatewayConfig} says what its parts
 * mean.
 *
 * @param host the address to listen on
 * @param port 0 to 65535
 * @param tokenKeys where tokens' keys come from
 * @param audience what tokens must be meant for
 * @param allowedOrigins of browsers
 * @param poolSize connections to each of the two databases at most, 1 to 200
 * @param maxDocumentBytes the largest request body
 * @param maxWaitingReads how many reads may wait at once
 * @param requestsPerSecond of one caller at most
 * @param opsPort of health and metrics, 0 to 65535
 */
record HttpSettings(
    String host,
    int port,
    TokenKeys tokenKeys,
    Optional<String> audience,
    List<String> allowedOrigins,
    int poolSize,
    int maxDocumentBytes,
    int maxWaitingReads,
    OptionalInt requestsPerSecond,
    OptionalInt opsPort) {

  static final String DEFAULT_HOST = "127.0.0.1";
  static final int DEFAULT_PORT = 8080;
}
