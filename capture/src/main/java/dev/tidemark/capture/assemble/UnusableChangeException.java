package dev.tidemark.capture.assemble;

/**
 * A change that cannot be sent on without guessing. Capture stops before it, so that nothing is
 * lost.
 */
public final class UnusableChangeException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** The message says which table, what is missing and what to do; never a row's content. */
  public UnusableChangeException(String message) {
    super(message);
  }
}
