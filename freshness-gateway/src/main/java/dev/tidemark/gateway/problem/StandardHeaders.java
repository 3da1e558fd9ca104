package dev.tidemark.gateway.problem;

import jakarta.servlet.http.HttpServletResponse;

/**
 * Headers of every answer. Nothing may be kept by a cache: what one tenant is told is no other
 * tenant's business, and a cached "pending" would never end.
 */
public final class StandardHeaders {

  private static final String VARY =
      "Authorization, X-Required-LSN, X-Required-Generation, X-Max-Staleness-Ms, Prefer";

  private StandardHeaders() {}

  /** Sets them. */
  public static void set(HttpServletResponse response) {
    response.setHeader("Cache-Control", "no-store");
    response.setHeader("Vary", VARY);
    response.setHeader("X-Content-Type-Options", "nosniff");
    response.setHeader("X-Frame-Options", "DENY");
    response.setHeader("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
    response.setHeader("Referrer-Policy", "no-referrer");
    response.setHeader("Cross-Origin-Resource-Policy", "same-site");
  }
}
