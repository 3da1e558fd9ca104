package dev.tidemark.tests.prove.history;

import dev.tidemark.topics.Lsn;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What a crash of the source may have undone. A commit that did not wait for the disk is durable
 * once one that did wait has been answered, if it was sent after the first's position was known.
 * Thread-safe.
 */
public final class Crashes {

  private final AtomicLong count = new AtomicLong();
  private Lsn issued = Lsn.ZERO;
  private Lsn durable = Lsn.ZERO;

  /** How many there have been; a crash counts twice, when it begins and when the source is down. */
  public long count() {
    return count.get();
  }

  /** Notes that one begins, or that the source is down now. */
  public void crash() {
    count.incrementAndGet();
  }

  /** Notes a position that a writer was given. */
  public synchronized void issued(Lsn token) {
    issued = issued.max(token);
  }

  /** The largest position that a writer was given. */
  public synchronized Lsn issued() {
    return issued;
  }

  /**
   * Notes that a commit which waited for the disk was answered.
   *
   * @param before {@link #issued()} of before it was sent
   */
  public synchronized void flushed(Lsn before) {
    durable = durable.max(before);
  }

  /** Every commit at or before it survives a crash. */
  public synchronized Lsn durable() {
    return durable;
  }
}
