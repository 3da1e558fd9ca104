package dev.tidemark.gateway.sync;

import dev.tidemark.gateway.problem.ProblemException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The status for all event streams of this gateway: read once for all of them, at most once a
 * second, and only while somebody listens. Thread-safe.
 */
public final class StatusFeed {

  private static final Logger LOG = LoggerFactory.getLogger(StatusFeed.class);

  private final Supplier<SyncStatus> status;
  private final WatermarkBoard board;
  private final Duration interval;
  private int listeners;
  private boolean running;
  private long number;
  private @Nullable Latest latest;

  /**
   * A feed that nobody listens to yet.
   *
   * @param status read on a thread of the feed's own
   * @param board whose waiting streams are woken when there is a new status
   * @param interval from the end of a read to the next one
   */
  public StatusFeed(Supplier<SyncStatus> status, WatermarkBoard board, Duration interval) {
    this.status = status;
    this.board = board;
    this.interval = interval;
  }

  /**
   * A status that was read.
   *
   * @param number grows with each
   */
  record Latest(long number, SyncStatus status) {}

  /** A stream that listens. */
  interface Listening extends AutoCloseable {
    @Override
    void close();
  }

  /** Begins to listen; the first who does starts the reading. */
  synchronized Listening listen() {
    listeners++;
    if (!running) {
      running = true;
      Thread.ofVirtual().name("status-feed").start(this::run);
    }
    return this::leave;
  }

  /** The newest status; empty before the first, and when the last read failed. */
  synchronized Optional<Latest> latest() {
    return Optional.ofNullable(latest);
  }

  /** Whether it goes on reading. */
  synchronized boolean reading() {
    return running;
  }

  private synchronized void leave() {
    listeners--;
  }

  private void run() {
    try {
      do {
        publish(read());
        Thread.sleep(interval);
      } while (wanted());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("nobody interrupts the feed of the status", e);
    }
  }

  private Optional<SyncStatus> read() {
    try {
      return Optional.of(status.get());
    } catch (ProblemException e) {
      LOG.atDebug().setCause(e).log("the streams get no status: the replica can't be read");
      return Optional.empty();
    }
  }

  private void publish(Optional<SyncStatus> read) {
    synchronized (this) {
      latest = read.map(found -> new Latest(++number, found)).orElse(null);
    }
    if (read.isPresent()) {
      board.wake();
    }
  }

  private synchronized boolean wanted() {
    running = listeners > 0 && !board.closed();
    if (!running) {
      latest = null;
    }
    return running;
  }
}
