package dev.tidemark.gateway.auth;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.bucket4j.TimeMeter;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RateLimitTest {

  private static final Caller LAN = new Caller("lan", "acme", Set.of());

  private final AtomicLong nanos = new AtomicLong();
  private final RateLimit limit =
      new RateLimit(
          10,
          new TimeMeter() {
            @Override
            public long currentTimeNanos() {
              return nanos.get();
            }

            @Override
            public boolean isWallClockBased() {
              return false;
            }
          });

  private int passing(Caller caller, int requests) {
    int passed = 0;
    for (int i = 0; i < requests; i++) {
      passed += limit.take(caller) == 0 ? 1 : 0;
    }
    return passed;
  }

  @Test
  void letsASecondsWorthPassAtOnceAndNoMore() {
    assertThat(passing(LAN, 50)).isEqualTo(10);
    assertThat(limit.take(LAN)).isEqualTo(TimeUnit.MILLISECONDS.toNanos(100));
  }

  @Test
  void fillsEvenly() {
    passing(LAN, 10);
    nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(300));
    assertThat(passing(LAN, 50)).isEqualTo(3);
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(60));
    assertThat(passing(LAN, 50)).isEqualTo(10);
  }

  @Test
  void countsEveryCallerByItself() {
    passing(LAN, 50);
    assertThat(passing(new Caller("lan", "globex", Set.of()), 50)).isEqualTo(10);
    assertThat(passing(new Caller("minh", "acme", Set.of()), 50)).isEqualTo(10);
    assertThat(passing(new Caller("lan", "acme", Set.of("admin")), 50)).isZero();
  }
}
