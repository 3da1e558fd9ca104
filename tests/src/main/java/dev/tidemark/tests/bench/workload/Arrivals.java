package dev.tidemark.tests.bench.workload;

import dev.tidemark.tests.bench.system.BenchException;
import dev.tidemark.tests.bench.system.Contender;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Commit to visible, of each document. */
final class Arrivals {

  private static final Duration POLL = Duration.ofMillis(100);

  private Arrivals() {}

  /**
   * Waits until all have arrived.
   *
   * @return how long each took, in milliseconds
   */
  static List<Double> latencies(Contender system, String prefix, int writes, Duration limit)
      throws Exception {
    Map<String, Long> arrived = await(system, prefix, writes, limit);
    List<Double> millis = new ArrayList<>();
    for (Map.Entry<String, Long> committed : system.commits(prefix).entrySet()) {
      Long visible = arrived.get(committed.getKey());
      if (visible != null) {
        millis.add((visible - committed.getValue()) / 1e3);
      }
    }
    return millis;
  }

  /** Waits until all have arrived, and tells when each did. */
  static Map<String, Long> await(Contender system, String prefix, int writes, Duration limit)
      throws Exception {
    long deadline = System.nanoTime() + limit.toNanos();
    Map<String, Long> arrived = system.arrivals(prefix);
    while (arrived.size() < writes) {
      if (System.nanoTime() - deadline > 0) {
        throw new BenchException(
            "%s has %d of %d documents after %s"
                .formatted(system.name(), arrived.size(), writes, limit));
      }
      long asked = System.nanoTime();
      arrived = system.arrivals(prefix);
      // Asking reads the whole table: never more than a tenth of the time, while others are
      // measured.
      Thread.sleep(POLL.plusNanos(10 * (System.nanoTime() - asked)));
    }
    return arrived;
  }
}
