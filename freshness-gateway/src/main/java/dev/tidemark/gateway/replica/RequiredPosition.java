package dev.tidemark.gateway.replica;

import dev.tidemark.gateway.problem.Problem;
import dev.tidemark.gateway.problem.ProblemKind;
import dev.tidemark.topics.Lsn;
import java.util.List;
import java.util.Optional;

/**
 * What {@code X-Required-LSN} asks for.
 *
 * @param lsn the largest position that was named; {@link Lsn#ZERO} when only {@code latest} was
 * @param latest whether the source's position at arrival is asked for, too
 */
public record RequiredPosition(Lsn lsn, boolean latest) {

  /** The header. */
  public static final String HEADER = "X-Required-LSN";

  /**
   * Reads the header's values: LSNs and the word {@code latest}, separated by commas or in several
   * headers. All must be well-formed, and the largest counts: a client that wrote twice needs both.
   *
   * @return empty when the header is absent
   * @throws dev.tidemark.gateway.problem.ProblemException 400 when anything else is found
   */
  public static Optional<RequiredPosition> parse(List<String> values) {
    if (values.isEmpty()) {
      return Optional.empty();
    }
    Lsn largest = Lsn.ZERO;
    boolean latest = false;
    for (String value : values) {
      for (String item : value.split(",", -1)) {
        // Only the space that separates items of a list is let go (RFC 9110, section 5.6.1).
        String text = item.strip();
        if (text.equalsIgnoreCase("latest")) {
          latest = true;
        } else {
          largest = largest.max(lsn(text));
        }
      }
    }
    return Optional.of(new RequiredPosition(largest, latest));
  }

  private static Lsn lsn(String text) {
    try {
      return Lsn.parse(text);
    } catch (IllegalArgumentException e) {
      throw Problem.of(
              ProblemKind.MALFORMED_LSN,
              e.getMessage() + ". Send the X-Tx-LSN of your write as it was, or the word latest.")
          .exception();
    }
  }
}
