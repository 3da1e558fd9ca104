package dev.tidemark.gateway.replica;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.springframework.web.util.UriUtils;

/**
 * What a path below {@code /api/replica} names.
 *
 * @param target a replica table
 * @param key of a row; empty for rows by filters
 */
record ReplicaPath(String target, Optional<String> key) {

  private static final String PREFIX = "/api/replica/";

  /** Reads a request's path, still encoded; empty when it is another one. */
  static Optional<ReplicaPath> parse(String uri) {
    if (!uri.startsWith(PREFIX)) {
      return Optional.empty();
    }
    int slash = uri.indexOf('/', PREFIX.length());
    String target =
        slash < 0 ? uri.substring(PREFIX.length()) : uri.substring(PREFIX.length(), slash);
    String key = slash < 0 ? "" : uri.substring(slash + 1);
    if (target.isEmpty() || key.indexOf('/') >= 0 || (slash >= 0 && key.isEmpty())) {
      return Optional.empty();
    }
    return Optional.of(
        new ReplicaPath(decode(target), slash < 0 ? Optional.empty() : Optional.of(decode(key))));
  }

  private static String decode(String segment) {
    return segment.indexOf('%') < 0 ? segment : UriUtils.decode(segment, StandardCharsets.UTF_8);
  }

  /** For metrics: never with what stands in the path. */
  String pattern() {
    return key.isPresent() ? "/api/replica/{target}/{key}" : "/api/replica/{target}";
  }

  /** Whether a browser might take the answer for a file of the kind that the path ends in. */
  boolean looksLikeFile() {
    String last = key.orElse(target);
    int dot = last.lastIndexOf('.');
    return dot >= 0 && dot < last.length() - 1;
  }
}
