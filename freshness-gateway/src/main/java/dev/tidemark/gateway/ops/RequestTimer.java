package dev.tidemark.gateway.ops;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.springframework.web.servlet.HandlerMapping;

/** Times requests by method, path pattern and status; never by what stands in the path. */
public final class RequestTimer extends HttpFilter {

  private static final long serialVersionUID = 1L;

  private static final Set<String> METHODS =
      Set.of("GET", "HEAD", "PUT", "PATCH", "POST", "DELETE", "OPTIONS");

  /** The attribute of a request that holds the pattern of its path. */
  public static final String PATTERN = HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE;

  private final transient MeterRegistry metrics;
  private final transient ConcurrentHashMap<Kind, Timer> timers = new ConcurrentHashMap<>();

  /** What is told apart; there are few. */
  private record Kind(String method, String pattern, int status) {}

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
    Object pattern = request.getAttribute(PATTERN);
    String method = METHODS.contains(request.getMethod()) ? request.getMethod() : "OTHER";
    timers
        .computeIfAbsent(
            new Kind(method, pattern == null ? "none" : pattern.toString(), status), this::timer)
        .record(nanos, TimeUnit.NANOSECONDS);
  }

  private Timer timer(Kind kind) {
    return Timer.builder("http.server.requests")
        .description("Requests that were answered")
        .tag("method", kind.method())
        .tag("uri", kind.pattern())
        .tag("status", Integer.toString(kind.status()))
        .publishPercentileHistogram(false)
        .register(metrics);
  }
}
