package dev.tidemark.gateway.sync;

import dev.tidemark.topics.Lsn;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What this gateway last heard of the watermarks, and the requests that wait for them. It only
 * wakes: whether a read may be served is decided by a query of its own, from one snapshot.
 *
 * <p>Thread-safe; everything is guarded by one lock. A waiter registers and looks at the last known
 * position under the same lock that news come in by, so no news can fall between the two; news that
 * the database itself lost are made up for by {@link WatermarkRefresher}'s re-reads.
 */
public final class WatermarkBoard implements AutoCloseable {

  /** How long a notification's position counts more than a re-read's, which may be older. */
  private static final long TRUST_NANOS = Duration.ofSeconds(1).toNanos();

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Lsn[] heard;
  private final long[] notifiedAt;
  private final List<PriorityQueue<Waiter>> waiters = new ArrayList<>();
  private List<PartitionState> states = List.of();
  private long version;
  private boolean closed;

  private static final class Waiter {
    private final Lsn required;
    private final Condition wake;
    private boolean done;

    Waiter(Lsn required, Condition wake) {
      this.required = required;
      this.wake = wake;
    }
  }

  /** A board for this many partitions. */
  public WatermarkBoard(int partitions) {
    heard = new Lsn[partitions];
    Arrays.fill(heard, Lsn.ZERO);
    notifiedAt = new long[partitions];
    for (int i = 0; i < partitions; i++) {
      waiters.add(new PriorityQueue<>(Comparator.comparing((Waiter waiter) -> waiter.required)));
    }
  }

  /**
   * The state of all partitions.
   *
   * @param version grows with every change, and with what others wake the streams for
   * @param states the last full read; empty before the first
   * @param heard the last heard position by partition, at least as new as {@code states}
   */
  public record Picture(long version, List<PartitionState> states, List<Lsn> heard) {
    public Picture {
      states = List.copyOf(states);
      heard = List.copyOf(heard);
    }
  }

  /** What is known now. */
  public Picture picture() {
    lock.lock();
    try {
      return new Picture(version, states, List.of(heard));
    } finally {
      lock.unlock();
    }
  }

  /** Takes a notification's position. */
  public void notified(int partition, Lsn lsn) {
    lock.lock();
    try {
      if (partition < 0 || partition >= heard.length) {
        return;
      }
      notifiedAt[partition] = System.nanoTime();
      move(partition, lsn);
    } finally {
      lock.unlock();
    }
  }

  /** Takes a full read. */
  public void refreshed(List<PartitionState> read) {
    lock.lock();
    try {
      for (PartitionState state : read) {
        int partition = state.partition();
        if (partition >= heard.length) {
          continue;
        }
        boolean recent = System.nanoTime() - notifiedAt[partition] < TRUST_NANOS;
        move(partition, recent ? state.lsn().max(heard[partition]) : state.lsn());
      }
      states = List.copyOf(read);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until the partition is heard to have reached the position.
   *
   * @return false when the time is over, or the board is closed, before it is
   */
  public boolean await(int partition, Lsn required, Duration atMost) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      if (heard[partition].reaches(required)) {
        return true;
      }
      Waiter waiter = new Waiter(required, lock.newCondition());
      waiters.get(partition).add(waiter);
      long nanos = atMost.toNanos();
      try {
        while (!waiter.done && !closed && nanos > 0) {
          nanos = waiter.wake.awaitNanos(nanos);
        }
        return waiter.done;
      } finally {
        if (!waiter.done) {
          waiters.get(partition).remove(waiter);
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until there is a later picture than the one seen.
   *
   * @return false when the time is over, or the board is closed, before there is
   */
  public boolean awaitChange(long seen, Duration atMost) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      long nanos = atMost.toNanos();
      while (version == seen && !closed && nanos > 0) {
        nanos = changed.awaitNanos(nanos);
      }
      return version != seen && !closed;
    } finally {
      lock.unlock();
    }
  }

  /** Wakes those who wait for a change, for news that is not the board's own. */
  void wake() {
    lock.lock();
    try {
      version++;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** How many requests wait now. */
  public int waiting() {
    lock.lock();
    try {
      return waiters.stream().mapToInt(PriorityQueue::size).sum();
    } finally {
      lock.unlock();
    }
  }

  /** Whether the board has been closed, and so nothing will be woken any more. */
  public boolean closed() {
    lock.lock();
    try {
      return closed;
    } finally {
      lock.unlock();
    }
  }

  /** Wakes all who wait; later waits end at once. */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      changed.signalAll();
      waiters.forEach(queue -> queue.forEach(waiter -> waiter.wake.signal()));
    } finally {
      lock.unlock();
    }
  }

  private void move(int partition, Lsn lsn) {
    if (heard[partition].equals(lsn)) {
      return;
    }
    heard[partition] = lsn;
    version++;
    changed.signalAll();
    PriorityQueue<Waiter> queue = waiters.get(partition);
    for (Waiter next = queue.peek();
        next != null && lsn.reaches(next.required);
        next = queue.peek()) {
      queue.remove();
      next.done = true;
      next.wake.signal();
    }
  }
}
