package dev.tidemark.client.http;

import dev.tidemark.client.FreshnessHeaders;
import dev.tidemark.client.Position;
import dev.tidemark.client.Token;
import java.util.Optional;

/**
 * What the next read of a source must include.
 *
 * @param token the largest of the tokens so far
 * @param latest whether there was a write whose token is not known, so that the read asks for the
 *     source's position at its arrival
 */
public record Requirement(Optional<Token> token, boolean latest) {

  /** Demands nothing. */
  public static final Requirement NONE = new Requirement(Optional.empty(), false);

  /**
   * This and a write's token. A token of another generation takes the place of the older one, since
   * positions of two histories cannot be compared. One without a generation raises the position and
   * leaves the generation: if the history has changed in between, the gateway says so.
   */
  Requirement and(Token next) {
    if (token.isEmpty()) {
      return new Requirement(Optional.of(next), latest);
    }
    Token held = token.get();
    Optional<String> generation = next.generation().or(held::generation);
    boolean comparable = held.generation().isEmpty() || held.generation().equals(generation);
    Position position = comparable ? held.position().max(next.position()) : next.position();
    return new Requirement(Optional.of(new Token(position, generation)), latest);
  }

  /** This and a write whose token is not known. */
  Requirement andLatest() {
    return new Requirement(token, true);
  }

  /** This, after a read whose answer was at least as fresh as {@code seen}. */
  Requirement seen(Position seen) {
    return new Requirement(token, false).and(new Token(seen));
  }

  /** The value of {@code X-Required-LSN}; empty when nothing is demanded. */
  public Optional<String> lsnHeader() {
    return latest
        ? Optional.of(FreshnessHeaders.LATEST)
        : token.map(each -> each.position().toString());
  }

  /** The value of {@code X-Required-Generation}; empty when the token names none. */
  public Optional<String> generationHeader() {
    return token.flatMap(Token::generation);
  }
}
