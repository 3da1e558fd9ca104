package dev.tidemark.gateway.auth;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.tidemark.gateway.problem.Problem;
import dev.tidemark.gateway.problem.ProblemKind;
import dev.tidemark.gateway.problem.ProblemResponses;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.ConsumptionProbe;
import io.github.bucket4j.TimeMeter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.springframework.security.core.context.SecurityContextHolder;

/**
 * Keeps one caller, a subject of a tenant, from sending more requests a second than it may: a
 * bucket that holds a second's worth, and fills evenly. Stands behind the check of tokens, so only
 * signed claims count. Thread-safe.
 */
public final class RateLimit extends HttpFilter {

  private static final long serialVersionUID = 1L;

  /** Callers whose buckets are remembered; the one that was away longest is forgotten first. */
  private static final int MOST_CALLERS = 100_000;

  /** A bucket that was left alone for so long is full, and need not be remembered. */
  private static final Duration FULL_AGAIN = Duration.ofSeconds(2);

  private final int perSecond;
  private final transient TimeMeter clock;
  private final transient Cache<Key, Bucket> buckets;

  private record Key(String tenant, String subject) {}

  /** A limit of this many requests a second for each caller. */
  public RateLimit(int perSecond) {
    this(perSecond, TimeMeter.SYSTEM_NANOTIME);
  }

  RateLimit(int perSecond, TimeMeter clock) {
    this.perSecond = perSecond;
    this.clock = clock;
    this.buckets =
        Caffeine.newBuilder().maximumSize(MOST_CALLERS).expireAfterAccess(FULL_AGAIN).build();
  }

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    if (SecurityContextHolder.getContext().getAuthentication() instanceof CallerToken token) {
      long waitNanos = take(token.getPrincipal());
      if (waitNanos > 0) {
        ProblemResponses.write(response, refusal(waitNanos));
        return;
      }
    }
    chain.doFilter(request, response);
  }

  /**
   * Counts a request.
   *
   * @return 0 when it may pass, else the nanoseconds until another one may
   */
  long take(Caller caller) {
    ConsumptionProbe probe =
        buckets
            .get(new Key(caller.tenant(), caller.subject()), key -> bucket())
            .tryConsumeAndReturnRemaining(1);
    return probe.isConsumed() ? 0 : Math.max(1, probe.getNanosToWaitForRefill());
  }

  private Bucket bucket() {
    return Bucket.builder()
        .addLimit(limit -> limit.capacity(perSecond).refillGreedy(perSecond, Duration.ofSeconds(1)))
        .withCustomTimePrecision(clock)
        .build();
  }

  private Problem refusal(long waitNanos) {
    return Problem.of(
            ProblemKind.TOO_MANY_REQUESTS,
            "This gateway takes "
                + perSecond
                + " requests a second from one caller, a subject of a tenant. Send fewer: wait for"
                + " Retry-After.")
        .withHeader(
            "Retry-After", Long.toString(Math.ceilDiv(waitNanos, TimeUnit.SECONDS.toNanos(1))));
  }
}
