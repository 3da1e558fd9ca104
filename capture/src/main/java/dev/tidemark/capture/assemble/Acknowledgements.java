package dev.tidemark.capture.assemble;

import dev.tidemark.topics.Lsn;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Up to which position everything that was appended is acknowledged. Its methods are called under
 * one lock of the caller's, except for {@link Appended#acknowledged}, which any thread may call.
 */
public final class Acknowledgements {

  /** The appends between two positions, and how many of them are not acknowledged. */
  private static final class Segment implements Appended {
    private final AtomicInteger unacknowledged = new AtomicInteger();
    private Lsn position = Lsn.ZERO;

    @Override
    public void acknowledged() {
      unacknowledged.decrementAndGet();
    }
  }

  /** A record that was appended. */
  public interface Appended {

    /** Says that the record is in the log. */
    void acknowledged();
  }

  private final Deque<Segment> completed = new ArrayDeque<>();
  private Segment current = new Segment();

  /** Nothing has been appended. */
  public Acknowledgements() {}

  /** Says that a record is being appended. */
  public Appended append() {
    current.unacknowledged.incrementAndGet();
    return current;
  }

  /** Says that everything up to the position has been appended. */
  public void completed(Lsn position) {
    current.position = position;
    completed.add(current);
    current = new Segment();
  }

  /**
   * The newest position up to which everything is acknowledged; empty when none became so since the
   * last call.
   */
  public Optional<Lsn> storable() {
    Optional<Lsn> newest = Optional.empty();
    while (!completed.isEmpty() && completed.getFirst().unacknowledged.get() == 0) {
      newest = Optional.of(completed.removeFirst().position);
    }
    return newest;
  }
}
