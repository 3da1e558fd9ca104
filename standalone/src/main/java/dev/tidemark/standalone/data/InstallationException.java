package dev.tidemark.standalone.data;

/**
 * Something that the person at the command line can mend. The message says what was found, what is
 * allowed, where, and what to do; the command line prints it without a stack trace.
 */
public final class InstallationException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public InstallationException(String message) {
    super(message);
  }

  public InstallationException(String message, Throwable cause) {
    super(message, cause);
  }
}
