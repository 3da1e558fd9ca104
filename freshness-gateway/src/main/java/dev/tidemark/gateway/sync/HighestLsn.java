package dev.tidemark.gateway.sync;

import dev.tidemark.topics.Lsn;
import java.util.concurrent.atomic.AtomicLong;

/** The highest position seen so far; {@link Lsn#ZERO} at first. Thread-safe. */
final class HighestLsn {

  private final AtomicLong bits = new AtomicLong();

  Lsn get() {
    return new Lsn(bits.get());
  }

  void raise(Lsn lsn) {
    bits.accumulateAndGet(lsn.value(), (a, b) -> Long.compareUnsigned(a, b) >= 0 ? a : b);
  }

  /** Takes back a position that nobody has raised since. */
  void lower(Lsn from, Lsn to) {
    bits.compareAndSet(from.value(), to.value());
  }
}
