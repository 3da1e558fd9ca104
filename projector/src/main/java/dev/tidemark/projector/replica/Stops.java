package dev.tidemark.projector.replica;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Which partitions of this process stand still, and why. Thread-safe. */
public final class Stops {

  private final Map<Integer, String> reasons = new ConcurrentHashMap<>();

  /** A new, empty set. */
  public Stops() {}

  void set(int partition, @Nullable String reason) {
    if (reason == null) {
      reasons.remove(partition);
    } else {
      reasons.put(partition, reason);
    }
  }

  void clear(int partition) {
    reasons.remove(partition);
  }

  /** The reasons by partition, in its order; empty while all go on. */
  public Map<Integer, String> reasons() {
    return new TreeMap<>(reasons);
  }
}
