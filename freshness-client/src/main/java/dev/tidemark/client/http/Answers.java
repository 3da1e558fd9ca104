package dev.tidemark.client.http;

import dev.tidemark.client.FreshnessHeaders;
import dev.tidemark.client.Position;
import dev.tidemark.client.Token;
import java.net.http.HttpHeaders;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What answers say, as values. Pure functions; what is malformed counts as absent. */
final class Answers {

  /** Between two questions when the gateway names no pause. */
  static final Duration DEFAULT_PAUSE = Duration.ofMillis(50);

  /** No gateway is asked more often, whatever it says. */
  static final Duration SHORTEST_PAUSE = Duration.ofMillis(5);

  private static final String NUMBER = "\\s*:\\s*([0-9]{1,9})(?![0-9.eE])";
  private static final String TEXT = "\\s*:\\s*\"([^\"\\\\]*)\"";
  private static final String PROBLEMS = "urn:tidemark:problem:";

  private Answers() {}

  /** A write's token; empty when there is none, or {@code latest}. */
  static Optional<Token> token(HttpHeaders headers) {
    Optional<Position> position = position(headers, FreshnessHeaders.TX_LSN);
    Optional<String> generation = headers.firstValue(FreshnessHeaders.TX_GENERATION);
    try {
      return position.map(each -> new Token(each, generation));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** A position that a header holds. */
  static Optional<Position> position(HttpHeaders headers, String name) {
    return headers.firstValue(name).flatMap(Answers::position);
  }

  private static Optional<Position> position(String text) {
    try {
      return Optional.of(Position.parse(text));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** A position that the body of a 202 holds. */
  static Optional<Position> position(String body, String member) {
    return text(body, member).flatMap(Answers::position);
  }

  /** The pause before asking again: of the body in milliseconds, else of the header in seconds. */
  static Duration pause(HttpHeaders headers, String body) {
    Duration named =
        first(body, "\"retryAfterMs\"" + NUMBER)
            .map(digits -> Duration.ofMillis(Long.parseLong(digits)))
            .or(
                () ->
                    headers
                        .firstValue("Retry-After")
                        .filter(value -> value.matches("[0-9]{1,9}"))
                        .map(value -> Duration.ofSeconds(Long.parseLong(value))))
            .orElse(DEFAULT_PAUSE);
    return named.compareTo(SHORTEST_PAUSE) < 0 ? SHORTEST_PAUSE : named;
  }

  /** The type of a problem without its prefix; empty when the body is none of the gateway's. */
  static String problem(String body) {
    return text(body, "type")
        .filter(type -> type.startsWith(PROBLEMS))
        .map(type -> type.substring(PROBLEMS.length()))
        .orElse("");
  }

  /**
   * A member of the body's object. A search is enough for the bodies that are asked here, which
   * hold no objects within: within a text a quotation mark has a backslash before it, so {@code
   * "name":} is always a member.
   */
  private static Optional<String> text(String body, String member) {
    return first(body, "\"" + member + "\"" + TEXT);
  }

  private static Optional<String> first(String body, String pattern) {
    Matcher matcher = Pattern.compile(pattern).matcher(body);
    return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
  }
}
