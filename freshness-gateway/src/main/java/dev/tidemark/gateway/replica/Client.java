package dev.tidemark.gateway.replica;

import jakarta.servlet.http.HttpServletRequest;

/** Whoever waits for an answer. */
@FunctionalInterface
public interface Client {

  /** The attribute of a request that holds its client. */
  String ATTRIBUTE = "dev.tidemark.client";

  /** The client of a request; one that is never known to be gone where nobody has set it. */
  static Client of(HttpServletRequest request) {
    return request.getAttribute(ATTRIBUTE) instanceof Client client ? client : () -> false;
  }

  /**
   * Whether it has closed its side of the connection. Looks at the connection without waiting for
   * it; only for the thread that serves the request.
   */
  boolean gone();
}
