package dev.tidemark.projector.replica;

import java.util.Map;
import java.util.Optional;
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

  /** The partitions with their reasons, in order; empty while all go on. */
  public Optional<String> describe() {
    return reasons.isEmpty()
        ? Optional.empty()
        : Optional.of("these partitions stand still: " + new TreeMap<>(reasons));
  }
}
