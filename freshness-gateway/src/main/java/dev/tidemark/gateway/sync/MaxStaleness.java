package dev.tidemark.gateway.sync;

import dev.tidemark.gateway.problem.Problem;
import dev.tidemark.gateway.problem.ProblemKind;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** {@code X-Max-Staleness-Ms}: how far behind in time an answer may be. */
public final class MaxStaleness {

  /** The header. */
  public static final String HEADER = "X-Max-Staleness-Ms";

  /** No request can allow more. */
  public static final Duration MOST = Duration.ofHours(1);

  private MaxStaleness() {}

  /**
   * Reads the header's values.
   *
   * @return empty when the header is absent
   * @throws dev.tidemark.gateway.problem.ProblemException 400 when it is not one whole number from
   *     0 to {@link #MOST}
   */
  public static Optional<Duration> parse(List<String> values) {
    if (values.isEmpty()) {
      return Optional.empty();
    }
    String text = values.getFirst().strip();
    if (values.size() == 1 && text.matches("[0-9]{1,7}")) {
      Duration staleness = Duration.ofMillis(Integer.parseInt(text));
      if (staleness.compareTo(MOST) <= 0) {
        return Optional.of(staleness);
      }
    }
    throw Problem.of(
            ProblemKind.MALFORMED_STALENESS,
            HEADER
                + " must be one whole number of milliseconds from 0 to "
                + MOST.toMillis()
                + ". Send it once, such as 500.")
        .exception();
  }
}
