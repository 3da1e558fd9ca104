package dev.tidemark.tests.prove.load;

import dev.tidemark.tests.prove.history.Subject;
import dev.tidemark.tests.prove.history.Write;
import dev.tidemark.topics.Lsn;
import java.util.Optional;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.LinkedBlockingDeque;

/** Tokens on their way from their writers to readers who follow them. Thread-safe. */
public final class Followers {

  private static final int WAITING = 20;

  private final BlockingDeque<Token> tokens = new LinkedBlockingDeque<>(WAITING);

  /**
   * A token that was handed out.
   *
   * @param subject what was written
   * @param write the write that it belongs to
   * @param lsn the position
   * @param generation the name of the history; empty when the writer was not told
   * @param nanos when it was handed out
   */
  public record Token(Subject subject, Write write, Lsn lsn, String generation, long nanos) {}

  /** Hands a token on; when readers are behind, the oldest one that waits is dropped. */
  public void offer(Token token) {
    while (!tokens.offerFirst(token)) {
      tokens.pollLast();
    }
  }

  /** The newest token, if one waits. */
  public Optional<Token> next() {
    return Optional.ofNullable(tokens.pollFirst());
  }
}
