package dev.tidemark.gateway.sync;

import dev.tidemark.topics.Lsn;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * What this gateway last heard of the watermarks, and the requests that wait for them. It only
 * wakes: whether a read may be served is decided by a query of its own, from one snapshot.
 *
 * <p>Thread-safe; everything is guarded by one lock. A waiter registers and looks at the last known
 * position under the same lock that news come in by, so no news can fall between the two; news that
 * the database itself lost are made up for by {@link WatermarkRefresher}'s re-reads. Each waiter
 * sleeps on a latch of its own, so that thousands that are woken at once do not queue for the lock.
 */
public final class WatermarkBoard implements AutoCloseable {

  /** How long a notification's position counts more than a re-read's, which may be older. */
  private static final long TRUST_NANOS = Duration.ofSeconds(1).toNanos();

  /** How long a re-read counts as news when there is none after it. */
  private static final long FRESH_NANOS = Duration.ofSeconds(2).toNanos();

  /** Between two looks whether somebody still waits. */
  private static final long LOOK_NANOS = Duration.ofSeconds(1).toNanos();

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Lsn[] heard;
  private final long[] notifiedAt;
  private final List<TreeSet<Waiter>> waiters = new ArrayList<>();
  private final List<ApplyRate> rates = new ArrayList<>();
  private List<PartitionState> states = List.of();
  private long refreshedAt;
  private long version;
  private long arrivals;
  private volatile boolean closed;

  /** Ordered by position, and among equals by arrival. */
  private record Waiter(Lsn required, long number, CountDownLatch reached) {
    private static final Comparator<Waiter> ORDER =
        Comparator.comparing(Waiter::required).thenComparing(Waiter::number);
  }

  /** A board for this many partitions. */
  public WatermarkBoard(int partitions) {
    heard = new Lsn[partitions];
    Arrays.fill(heard, Lsn.ZERO);
    notifiedAt = new long[partitions];
    for (int i = 0; i < partitions; i++) {
      waiters.add(new TreeSet<>(Waiter.ORDER));
      rates.add(new ApplyRate());
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
      refreshedAt = System.nanoTime();
    } finally {
      lock.unlock();
    }
  }

  /** What the last full read said of a partition. */
  public Optional<PartitionState> state(int partition) {
    lock.lock();
    try {
      return states.stream().filter(state -> state.partition() == partition).findFirst();
    } finally {
      lock.unlock();
    }
  }

  /** The last heard position of a partition. */
  public Lsn heard(int partition) {
    lock.lock();
    try {
      return heard[partition];
    } finally {
      lock.unlock();
    }
  }

  /**
   * Whether the partition is known, from not long ago, to be below the position. False means no
   * more than that somebody must look.
   */
  public boolean below(int partition, Lsn required) {
    lock.lock();
    try {
      return System.nanoTime() - refreshedAt < FRESH_NANOS
          && !states.isEmpty()
          && !heard[partition].reaches(required);
    } finally {
      lock.unlock();
    }
  }

  /**
   * How soon it is worth asking again for a position that the partition has not reached, in
   * milliseconds, {@link ApplyRate#LEAST_MS} to {@link ApplyRate#MOST_MS}.
   */
  public int retryAfterMs(int partition, Lsn required) {
    lock.lock();
    try {
      boolean stopped =
          states.stream()
              .anyMatch(state -> state.partition() == partition && state.stopped() != null);
      return rates.get(partition).retryAfterMs(System.nanoTime(), required, stopped);
    } finally {
      lock.unlock();
    }
  }

  /** How a wait ended. */
  public enum Ending {
    /** The partition is heard to have reached the position. */
    REACHED,
    /** It has not, and the time is over, or the board is closed. */
    TIME_OVER,
    /** Nobody waits for the answer any more. */
    CLIENT_GONE
  }

  /**
   * Waits until the partition is heard to have reached the position.
   *
   * @param gone whether nobody waits for the answer any more; asked once a second, by this thread
   */
  public Ending await(int partition, Lsn required, Duration atMost, BooleanSupplier gone)
      throws InterruptedException {
    Waiter waiter;
    lock.lockInterruptibly();
    try {
      if (heard[partition].reaches(required)) {
        return Ending.REACHED;
      }
      if (closed) {
        return Ending.TIME_OVER;
      }
      waiter = new Waiter(required, arrivals++, new CountDownLatch(1));
      waiters.get(partition).add(waiter);
    } finally {
      lock.unlock();
    }
    Ending ending = Ending.TIME_OVER;
    try {
      ending = await(waiter, atMost.toNanos(), gone);
    } finally {
      if (ending != Ending.REACHED) {
        leave(partition, waiter);
      }
    }
    return closed() && ending == Ending.REACHED ? Ending.TIME_OVER : ending;
  }

  private static Ending await(Waiter waiter, long atMost, BooleanSupplier gone)
      throws InterruptedException {
    long until = System.nanoTime() + atMost;
    for (long left = atMost; left > 0; left = until - System.nanoTime()) {
      if (waiter.reached().await(Math.min(left, LOOK_NANOS), TimeUnit.NANOSECONDS)) {
        return Ending.REACHED;
      }
      if (gone.getAsBoolean()) {
        return Ending.CLIENT_GONE;
      }
    }
    return Ending.TIME_OVER;
  }

  private void leave(int partition, Waiter waiter) {
    lock.lock();
    try {
      waiters.get(partition).remove(waiter);
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
      return waiters.stream().mapToInt(TreeSet::size).sum();
    } finally {
      lock.unlock();
    }
  }

  /** Whether the board has been closed, and so nothing will be woken any more. */
  public boolean closed() {
    return closed;
  }

  /** Wakes all who wait; later waits end at once. */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      changed.signalAll();
      waiters.forEach(
          queue -> {
            queue.forEach(waiter -> waiter.reached().countDown());
            queue.clear();
          });
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
    rates.get(partition).moved(System.nanoTime(), lsn);
    TreeSet<Waiter> queue = waiters.get(partition);
    while (!queue.isEmpty() && lsn.reaches(queue.first().required())) {
      queue.pollFirst().reached().countDown();
    }
  }
}
