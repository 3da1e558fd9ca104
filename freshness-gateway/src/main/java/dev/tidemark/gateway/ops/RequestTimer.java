package dev.tidemark.gateway.ops;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import org.springframework.web.servlet.HandlerMapping;

/** Times requests by method, path pattern and status; never by what stands in the path. */
public final class RequestTimer extends HttpFilter {

  private static final long serialVersionUID = 1L;

  private static final Set<String> METHODS =
      Set.of("GET", "HEAD", "PUT", "PATCH", "POST", "DELETE", "OPTIONS");

  private final transient MeterRegistry metrics;

  public RequestTimer(MeterRegistry metrics) {
    this.metrics = metrics;
  }

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    long from = System.nanoTime();
    int failed = 500;
    try {
      chain.doFilter(request, response);
      failed = 0;
    } finally {
      record(request, failed == 0 ? response.getStatus() : failed, System.nanoTime() - from);
    }
  }

  private void record(HttpServletRequest request, int status, long nanos) {
    Object pattern = request.getAttribute(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE);
    Timer.builder("http.server.requests")
        .description("Requests that were answered")
        .tag("method", METHODS.contains(request.getMethod()) ? request.getMethod() : "OTHER")
        .tag("uri", pattern == null ? "none" : pattern.toString())
        .tag("status", Integer.toString(status))
        .publishPercentileHistogram(false)
        .register(metrics)
        .record(Duration.ofNanos(nanos));
  }
}
