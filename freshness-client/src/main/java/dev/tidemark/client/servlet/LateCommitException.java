package dev.tidemark.client.servlet;

import dev.tidemark.client.Token;
import java.util.Optional;

/**
 * A transaction was committed when the headers of the answer were sent already, or the request was
 * over. The commit stands; only the header can't be set any more. Whoever catches this may send the
 * token in another way, for instance as an event of the stream.
 */
public final class LateCommitException extends IllegalStateException {

  private static final long serialVersionUID = 1;

  private final transient Optional<Token> token;

  LateCommitException(String why, Optional<Token> token) {
    super(
        why
            + ", so X-Tx-LSN cannot be set for this commit. The commit stands, do not repeat it."
            + " Commit before the first byte of the answer is flushed, or send the token of this"
            + " exception in the body");
    this.token = token;
  }

  /** What the header would have said; empty when the position could not be read. */
  public Optional<Token> token() {
    return token;
  }
}
