package dev.tidemark.tests.bench.system;

import org.jspecify.annotations.Nullable;

/** A system did not do what a measurement needs; the message says which, and where its log is. */
public final class BenchException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** For a reason of its own. */
  public BenchException(String message) {
    super(message);
  }

  /** With what led to it. */
  public BenchException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
