package dev.tidemark.gateway.web;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/**
 * Headers of every answer. Nothing may be kept by a cache: what one tenant is told is no other
 * tenant's business, and a cached "pending" would never end.
 */
final class AnswerHeaders extends HttpFilter {

  private static final long serialVersionUID = 1L;

  private static final String VARY = "Authorization, X-Required-LSN, X-Required-Generation, Prefer";

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    response.setHeader("Cache-Control", "no-store");
    response.setHeader("Vary", VARY);
    response.setHeader("X-Content-Type-Options", "nosniff");
    response.setHeader("X-Frame-Options", "DENY");
    response.setHeader("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
    response.setHeader("Referrer-Policy", "no-referrer");
    response.setHeader("Cross-Origin-Resource-Policy", "same-site");
    chain.doFilter(request, response);
  }
}
