package dev.tidemark.gateway.problem;

/** Details for errors of which only the status is known. */
public final class StatusDetails {

  private StatusDetails() {}

  /** What to say for a status. */
  public static String of(int status) {
    return switch (status) {
      case 404 -> "See /api/doc/{doctype}/{name}, /api/replica/{target} and /api/sync/status.";
      case 405 -> "Use another method.";
      case 413 -> "Send less.";
      case 415 -> "Send application/json.";
      case 431 -> "The request's headers are too large; send fewer or shorter ones.";
      case 501, 505 -> "The server does not know this method, encoding or version of HTTP.";
      case 503 -> "Try again.";
      default ->
          status >= 500
              ? "An unforeseen fault; the gateway's log holds more."
              : "The request can't be understood as HTTP; check the path, the encoding and the"
                  + " headers.";
    };
  }
}
