package dev.tidemark.topics;

/** What a failure says to an operator. */
public final class Failures {

  private Failures() {}

  /** The messages of the failure and of what caused it, outermost first, each once. */
  public static String describe(Throwable failure) {
    StringBuilder text = new StringBuilder(message(failure));
    Throwable cause = failure;
    while (cause.getCause() != null && cause.getCause() != cause) {
      cause = cause.getCause();
      if (text.indexOf(message(cause)) < 0) {
        text.append(": ").append(message(cause));
      }
    }
    return text.toString();
  }

  private static String message(Throwable failure) {
    String message = failure.getMessage();
    return message == null ? failure.getClass().getSimpleName() : message;
  }
}
