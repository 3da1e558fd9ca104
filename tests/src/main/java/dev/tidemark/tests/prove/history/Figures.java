package dev.tidemark.tests.prove.history;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** What was counted. Thread-safe. */
public final class Figures {

  /** What is counted. */
  public enum Figure {
    /** Writes that were answered as committed. */
    WRITES,
    /** Writes whose outcome nobody knows. */
    UNKNOWN_WRITES,
    /** Tokens that were handed out. */
    TOKENS,
    /** Tokens whose own reader got its 200. */
    TOKENS_FOLLOWED,
    /** Gated reads that were answered with rows, or with the absence of rows. */
    GATED_200,
    /** Gated reads that were answered with 202. */
    GATED_202,
    /** Gated reads that were answered with 409 after a crash of the source. */
    GATED_409,
    /** Reads without a gate. */
    PLAIN_READS,
    /** Reads over JDBC. */
    JDBC_READS,
    /** Reads as a tenant who may not see the rows. */
    FOREIGN_READS,
    /** Requests that could not be served because something was down. */
    REFUSED
  }

  private final Map<Figure, LongAdder> counts = new ConcurrentHashMap<>();
  private final Map<String, LongAdder> faults = new ConcurrentHashMap<>();
  private final AtomicLong longestWaitNanos = new AtomicLong();

  /** Counts one. */
  public void count(Figure figure) {
    counts.computeIfAbsent(figure, key -> new LongAdder()).increment();
  }

  /** How many there are. */
  public long of(Figure figure) {
    LongAdder adder = counts.get(figure);
    return adder == null ? 0 : adder.sum();
  }

  /** Counts a fault. */
  public void fault(String name) {
    faults.computeIfAbsent(name, key -> new LongAdder()).increment();
  }

  /** How many faults of each kind there are. */
  public Map<String, Long> faults() {
    Map<String, Long> sums = new TreeMap<>();
    faults.forEach((name, adder) -> sums.put(name, adder.sum()));
    return sums;
  }

  /** How many faults there are. */
  public long allFaults() {
    return faults().values().stream().mapToLong(Long::longValue).sum();
  }

  /** All gated reads that were answered with 200 or 202. */
  public long gatedReads() {
    return of(Figure.GATED_200) + of(Figure.GATED_202);
  }

  /** All requests. */
  public long operations() {
    return of(Figure.WRITES)
        + of(Figure.UNKNOWN_WRITES)
        + gatedReads()
        + of(Figure.GATED_409)
        + of(Figure.PLAIN_READS)
        + of(Figure.JDBC_READS)
        + of(Figure.FOREIGN_READS)
        + of(Figure.REFUSED);
  }

  /** Notes how long a token had to wait for its first 200. */
  public void waited(Duration time) {
    longestWaitNanos.accumulateAndGet(time.toNanos(), Math::max);
  }

  /** The longest such wait. */
  public Duration longestWait() {
    return Duration.ofNanos(longestWaitNanos.get());
  }
}
