package io.debezium.connector.base;

import io.debezium.pipeline.Sizeable;
import io.debezium.util.LoggingContext;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Takes the place of Debezium's class of this name, between the thread that reads the slot and the
 * one that handles events. Debezium's waits until a batch is full or {@code poll.interval.ms} is
 * over, and spins through the last millisecond of it. This one hands out what is there as soon as
 * something is there, and sleeps while nothing is: batches grow by themselves when the handler is
 * the slower one, and an event that comes alone waits for nothing.
 *
 * <p>As with {@link
 * io.debezium.connector.postgresql.connection.ReplicationMessageColumnValueResolver}, it works
 * since capture's own classes stand first on the class path. The decision and what would change it:
 * {@code docs/decisions/0013-own-event-queue.md}. Thread-safe; {@link #enqueue} and the methods on
 * the buffer are for one thread.
 *
 * @param <T> what is queued
 */
public class ChangeEventQueue<T extends Sizeable> implements ChangeEventQueueMetrics {

  private final Duration patience;
  private final int maxBatchSize;
  private final int maxQueueSize;
  private final long maxQueueSizeInBytes;
  private final Supplier<LoggingContext.PreviousContext> loggingContext;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition notEmpty = lock.newCondition();
  private final Condition notFull = lock.newCondition();
  private final Queue<Entry<T>> queue = new ArrayDeque<>();
  private final AtomicReference<@Nullable T> buffered = new AtomicReference<>();
  private boolean buffering;
  private long bytes;
  private volatile @Nullable RuntimeException producerException;

  private record Entry<T>(T event, long bytes) {}

  private ChangeEventQueue(Builder<T> builder) {
    this.patience = builder.patience;
    this.maxBatchSize = builder.maxBatchSize;
    this.maxQueueSize = builder.maxQueueSize;
    this.maxQueueSizeInBytes = builder.maxQueueSizeInBytes;
    this.loggingContext = builder.loggingContext;
    this.buffering = builder.buffering;
  }

  /**
   * Collects what Debezium configures; not thread-safe.
   *
   * @param <T> what is queued
   */
  public static class Builder<T extends Sizeable> {

    private Duration patience = Duration.ofMillis(500);
    private int maxQueueSize;
    private int maxBatchSize;
    private Supplier<LoggingContext.PreviousContext> loggingContext =
        () -> {
          throw new IllegalStateException("no logging context was given");
        };
    private long maxQueueSizeInBytes;
    private boolean buffering;

    /** Of no use here: a poll waits for the next event. */
    public Builder<T> pollInterval(Duration value) {
      return this;
    }

    /** How long a poll waits for a first event. Nothing depends on it: whatever happens ends it. */
    Builder<T> patience(Duration value) {
      patience = value;
      return this;
    }

    /** How many events are held at most. */
    public Builder<T> maxQueueSize(int value) {
      maxQueueSize = value;
      return this;
    }

    /** How many events one {@link ChangeEventQueue#poll} returns at most. */
    public Builder<T> maxBatchSize(int value) {
      maxBatchSize = value;
      return this;
    }

    /** What the thread that polls logs beside its messages. */
    public Builder<T> loggingContextSupplier(Supplier<LoggingContext.PreviousContext> value) {
      loggingContext = value;
      return this;
    }

    /** How many bytes are held at most, to an event; 0 for no limit. */
    public Builder<T> maxQueueSizeInBytes(long value) {
      maxQueueSizeInBytes = value;
      return this;
    }

    /** Of no use here: events are always held in memory. */
    public Builder<T> queueProvider(QueueProvider<T> value) {
      value.close();
      return this;
    }

    /** Keeps the newest event back, so that it can still be changed. */
    public Builder<T> buffering() {
      buffering = true;
      return this;
    }

    /** The queue. */
    public ChangeEventQueue<T> build() {
      return new ChangeEventQueue<>(this);
    }
  }

  /** Adds an event; waits while the queue is full. */
  public void enqueue(@Nullable T event) throws InterruptedException {
    if (event == null) {
      return;
    }
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    T next = buffering ? buffered.getAndSet(event) : event;
    if (next != null) {
      add(next);
    }
  }

  /** Adds the event that was kept back, changed by the function. */
  public void flushBuffer(Function<T, T> change) throws InterruptedException {
    T last = buffered.getAndSet(null);
    if (last != null) {
      add(change.apply(last));
    }
  }

  /** From now on every event is added at once. */
  public void disableBuffering() {
    buffering = false;
  }

  /** From now on the newest event is kept back. */
  public void enableBuffering() {
    buffering = true;
  }

  private void add(T event) throws InterruptedException {
    long size = maxQueueSizeInBytes > 0 ? event.objectSize() : 0;
    lock.lockInterruptibly();
    try {
      while (queue.size() >= maxQueueSize
          || (maxQueueSizeInBytes > 0 && bytes >= maxQueueSizeInBytes)) {
        notFull.await();
      }
      queue.add(new Entry<>(event, size));
      bytes += size;
      if (queue.size() == 1) {
        notEmpty.signal();
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Takes what is there, waiting a moment for a first event.
   *
   * @return at most a batch; empty when nothing came
   * @throws RuntimeException what {@link #producerException} was told
   */
  public List<T> poll() throws InterruptedException {
    LoggingContext.PreviousContext previous = loggingContext.get();
    try {
      lock.lockInterruptibly();
      try {
        throwProducerException();
        long left = patience.toNanos();
        while (queue.isEmpty() && left > 0) {
          left = notEmpty.awaitNanos(left);
          throwProducerException();
        }
        return drain();
      } finally {
        lock.unlock();
      }
    } finally {
      previous.restore();
    }
  }

  private List<T> drain() {
    int count = Math.min(queue.size(), maxBatchSize);
    List<T> batch = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      Entry<T> entry = queue.remove();
      bytes -= entry.bytes();
      batch.add(entry.event());
    }
    notFull.signalAll();
    return batch;
  }

  /** Makes the next {@link #poll} throw; a poll that waits throws at once. */
  public void producerException(RuntimeException exception) {
    producerException = exception;
    lock.lock();
    try {
      notEmpty.signal();
    } finally {
      lock.unlock();
    }
  }

  private void throwProducerException() {
    RuntimeException exception = producerException;
    if (exception != null) {
      throw exception;
    }
  }

  @Override
  public int totalCapacity() {
    return maxQueueSize;
  }

  @Override
  public int remainingCapacity() {
    lock.lock();
    try {
      return maxQueueSize - queue.size();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public long maxQueueSizeInBytes() {
    return maxQueueSizeInBytes;
  }

  @Override
  public long currentQueueSizeInBytes() {
    lock.lock();
    try {
      return bytes;
    } finally {
      lock.unlock();
    }
  }

  /** Whether the newest event is kept back. */
  public boolean isBuffered() {
    return buffering;
  }

  /** Nothing is held open. */
  public void close() {}
}
