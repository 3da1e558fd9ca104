package dev.tidemark.gateway.web;

import dev.tidemark.gateway.problem.StandardHeaders;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** Gives every answer the {@link StandardHeaders}. */
final class AnswerHeaders extends HttpFilter {

  private static final long serialVersionUID = 1L;

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    StandardHeaders.set(response);
    chain.doFilter(request, response);
  }
}
