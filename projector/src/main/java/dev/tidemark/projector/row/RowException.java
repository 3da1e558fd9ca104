package dev.tidemark.projector.row;

import org.jspecify.annotations.Nullable;

/**
 * A change that does not fit its replica table. Projecting it again does not help, so the partition
 * stops before it. The message names the route and the column, never a value.
 */
public final class RowException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** Says what does not fit, and where. */
  public RowException(String message) {
    this(message, null);
  }

  /** The same, with what was caught. */
  public RowException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
