package dev.tidemark.gateway.replica;

import dev.tidemark.gateway.problem.Problem;
import dev.tidemark.gateway.problem.ProblemKind;
import dev.tidemark.gateway.sync.MaxStaleness;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * What a client demands of a read.
 *
 * @param required from {@code X-Required-LSN}
 * @param history from {@code X-Required-Generation}
 * @param staleness from {@code X-Max-Staleness-Ms}
 * @param preferred from {@code Prefer: wait}, as it is counted
 * @param arrivedAt when the request came, as {@link System#nanoTime}
 */
public record ReadTerms(
    Optional<RequiredPosition> required,
    Optional<String> history,
    Optional<Duration> staleness,
    Optional<Duration> preferred,
    long arrivedAt) {

  private static final String GENERATION = "X-Required-Generation";

  /**
   * Reads the headers.
   *
   * @param arrivedAt when the request came, as {@link System#nanoTime}
   * @throws dev.tidemark.gateway.problem.ProblemException 400 when one is malformed
   */
  static ReadTerms of(HttpServletRequest request, long arrivedAt) {
    Optional<RequiredPosition> required =
        RequiredPosition.parse(headers(request, RequiredPosition.HEADER));
    Optional<Duration> staleness = MaxStaleness.parse(headers(request, MaxStaleness.HEADER));
    Optional<String> history =
        Optional.ofNullable(request.getHeader(GENERATION)).map(String::strip);
    if (history.isPresent() && !history.get().matches("[!-~]{1,200}")) {
      throw Problem.of(
              ProblemKind.BAD_REQUEST,
              "X-Required-Generation must be the X-Tx-Generation of your write, as it was.")
          .exception();
    }
    Optional<Duration> preferred =
        required.isPresent() || staleness.isPresent()
            ? PreferWait.parse(headers(request, "Prefer"))
            : Optional.empty();
    return new ReadTerms(required, history, staleness, preferred, arrivedAt);
  }

  private static List<String> headers(HttpServletRequest request, String name) {
    return Collections.list(request.getHeaders(name));
  }

  /** Whether a position is demanded, by name or by time. */
  boolean gated() {
    return required.isPresent() || staleness.isPresent();
  }

  /**
   * Whether the demand is about the log that the source writes now. One that names its history is
   * about that.
   */
  boolean ofTheSource() {
    return history.isEmpty()
        || staleness.isPresent()
        || required.map(RequiredPosition::latest).orElse(false);
  }

  /** What is left of the patience; zero or less when it is over. */
  Duration left() {
    return Duration.ofNanos(
        preferred.orElse(Duration.ZERO).toNanos() - (System.nanoTime() - arrivedAt));
  }
}
