package dev.tidemark.capture;

import dev.tidemark.capture.assemble.LogSink;
import dev.tidemark.topics.Lsn;
import dev.tidemark.topics.log.Change;
import dev.tidemark.topics.log.LogRecord;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Holds back every record that tells a position, until the source's catalog was looked at after the
 * position was read from the slot.
 *
 * <p>PostgreSQL says nothing in the stream when a table is swapped, or taken out of the
 * publication. Who writes to the new table needs a lock that the swap holds until it is visible; so
 * a look that begins after a later position has come sees the swap, and no reader is told of that
 * position.
 *
 * <p>A look begins when something is held, and is followed by a pause as long as it took, of {@link
 * #DISTANCE} at most and while much is held. It releases all that was held when it began. The
 * methods of {@link LogSink} are called under {@code lock}; the looks are made on a thread of its
 * own, without it.
 */
final class VerifiedSink implements LogSink, AutoCloseable {

  /** Looks at the catalog; throws when the stream does not tell everything any more. */
  @FunctionalInterface
  interface Look {
    void now() throws SQLException;
  }

  /** Between two looks while much is held: then it is the rate that counts. */
  private static final Duration DISTANCE = Duration.ofMillis(5);

  private static final int MUCH = 64;

  /** With nothing held, the catalog is looked at so often. */
  private static final Duration IDLE = Duration.ofSeconds(1);

  private static final int MAX_HELD = 4096;
  private static final long MAX_HELD_BYTES = 8 << 20;

  private record Held(Runnable release, long bytes) {}

  private final LogSink next;
  private final Look look;
  private final Object lock;
  private final Thread thread;
  private final Deque<Held> held = new ArrayDeque<>();
  private long heldBytes;
  private boolean closed;
  private @Nullable Throwable failure;

  /** Starts when {@link #start} is called; until then everything is held. */
  VerifiedSink(String pipeline, LogSink next, Object lock, Look look) {
    this.next = next;
    this.look = look;
    this.lock = lock;
    this.thread =
        Thread.ofPlatform().name("tidemark-capture-watch-" + pipeline).unstarted(this::work);
  }

  void start() {
    thread.start();
  }

  @Override
  public void append(int partition, LogRecord logRecord) {
    if (held.isEmpty() && !tellsAPosition(logRecord)) {
      next.append(partition, logRecord);
    } else {
      hold(new Held(() -> next.append(partition, logRecord), bytes(logRecord)));
    }
  }

  @Override
  public void completed(Lsn position) {
    hold(new Held(() -> next.completed(position), 0));
  }

  @Override
  public void flush() {
    synchronized (lock) {
      awaitUntil(held::isEmpty);
      if (failure != null) {
        throw new IllegalStateException("the log was not written to its end", failure);
      }
    }
    next.flush();
  }

  private void hold(Held more) {
    held.add(more);
    heldBytes += more.bytes();
    lock.notifyAll();
  }

  private static boolean tellsAPosition(LogRecord logRecord) {
    return switch (logRecord) {
      case LogRecord.TransactionPart part -> part.commitLsn().isPresent();
      case LogRecord.Progress progress -> true;
      case LogRecord.SnapshotComplete complete -> true;
      case LogRecord.SnapshotRows rows -> false;
      case LogRecord.GenerationStart start -> false;
    };
  }

  private static long bytes(LogRecord logRecord) {
    return logRecord instanceof LogRecord.TransactionPart part
        ? part.changes().stream().mapToLong(Change::weight).sum()
        : 0;
  }

  /** Waits until little enough is held. Not to be called under the lock. */
  void awaitRoom() {
    synchronized (lock) {
      awaitUntil(() -> held.size() <= MAX_HELD && heldBytes <= MAX_HELD_BYTES);
    }
  }

  /** Called under the lock, which it lets go while it waits. */
  private void awaitUntil(BooleanSupplier reached) {
    try {
      while (!reached.getAsBoolean() && failure == null && !closed) {
        lock.wait();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for a look at the source", e);
    }
  }

  /** Why nothing is let through any more; null while all is well. */
  @Nullable Throwable failure() {
    synchronized (lock) {
      return failure;
    }
  }

  private void work() {
    try {
      while (true) {
        int before;
        synchronized (lock) {
          long deadline = System.nanoTime() + IDLE.toNanos();
          while (held.isEmpty() && !closed && System.nanoTime() - deadline < 0) {
            TimeUnit.NANOSECONDS.timedWait(lock, Math.max(1, deadline - System.nanoTime()));
          }
          if (closed) {
            return;
          }
          before = held.size();
        }
        long began = System.nanoTime();
        look.now();
        synchronized (lock) {
          release(before);
          lock.notifyAll();
        }
        long took = System.nanoTime() - began;
        TimeUnit.NANOSECONDS.sleep(
            before < MUCH ? Math.min(took, DISTANCE.toNanos()) : DISTANCE.toNanos());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (SQLException | RuntimeException e) {
      synchronized (lock) {
        failure = e;
        lock.notifyAll();
      }
    }
  }

  private void release(int count) {
    for (int i = 0; i < count; i++) {
      Held first = held.removeFirst();
      heldBytes -= first.bytes();
      first.release().run();
    }
  }

  /** Lets nothing through any more; returns when no look is being made. */
  @Override
  public void close() {
    synchronized (lock) {
      closed = true;
      lock.notifyAll();
    }
    thread.interrupt();
    try {
      thread.join(Duration.ofSeconds(10));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
