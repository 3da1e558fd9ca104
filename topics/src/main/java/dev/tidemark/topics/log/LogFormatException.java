package dev.tidemark.topics.log;

import org.jspecify.annotations.Nullable;

/**
 * Bytes that are not a log record which this version can read. Reading them again does not help.
 */
public final class LogFormatException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  LogFormatException(String message) {
    this(message, null);
  }

  LogFormatException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
