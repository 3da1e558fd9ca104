package dev.tidemark.client;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What a write hands out, so that a later read can demand to see it.
 *
 * @param position at or after the end of the write's commit
 * @param generation the name of the source's history that the position belongs to ({@code
 *     X-Tx-Generation}); opaque, 1 to 200 visible ASCII characters; empty when the service that
 *     wrote does not know it. Without it a position can be checked against the present history only
 */
public record Token(Position position, Optional<String> generation) {

  private static final Pattern GENERATION = Pattern.compile("[!-~]{1,200}");

  /**
   * @throws IllegalArgumentException when the generation is none
   */
  public Token {
    if (generation.isPresent() && !GENERATION.matcher(generation.get()).matches()) {
      throw new IllegalArgumentException(
          "not the name of a generation: expected 1 to 200 visible ASCII characters without spaces,"
              + " the X-Tx-Generation of a write as it was");
    }
  }

  /** A token without a generation. */
  public Token(Position position) {
    this(position, Optional.empty());
  }
}
