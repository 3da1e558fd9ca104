package dev.tidemark.projector;

import dev.tidemark.topics.Failures;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps one topology running: a client that fails is closed and a new one is started, after a pause
 * that grows from 0.1 s to 5 s.
 *
 * <p>Streams could replace the failed thread alone. But then the new thread is a new static member
 * of the group, and the partitions wait for the old one's session to end (10 s [seen with 4.3.1]);
 * a new client has the members of the old.
 */
final class TopologyRunner implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(TopologyRunner.class);
  private static final long LOOK_MS = 250;
  private static final long SHORTEST_PAUSE_MS = 100;
  private static final long LONGEST_PAUSE_MS = 5_000;
  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(15);

  private final String name;
  private final Callable<KafkaStreams> factory;
  private final BooleanSupplier waits;
  private final CountDownLatch closing = new CountDownLatch(1);
  private final Thread thread;

  /**
   * Counted down when the present client has failed, and by {@link #close} after {@code closing}.
   */
  private volatile CountDownLatch over = new CountDownLatch(1);

  private volatile @Nullable String problem;
  private boolean paused;
  private boolean waiting;
  private @Nullable KafkaStreams client;

  /**
   * @param factory makes a client that is not started; may throw for as long as what it needs is
   *     not there
   * @param waits asked every {@value #LOOK_MS} ms, by the runner's own thread, whether to let
   *     others go first
   */
  TopologyRunner(String name, Callable<KafkaStreams> factory, BooleanSupplier waits) {
    this.name = name;
    this.factory = factory;
    this.waits = waits;
    this.thread = Thread.ofPlatform().name("tidemark-projector-" + name).unstarted(this::work);
  }

  void start() {
    thread.start();
  }

  private void work() {
    long pauseMs = SHORTEST_PAUSE_MS;
    while (!closed(0)) {
      CountDownLatch failed = new CountDownLatch(1);
      over = failed;
      try {
        KafkaStreams started = factory.call();
        run(started, failed);
        long began = System.nanoTime();
        while (!closed(0) && !isOver(failed)) {
          makeWay(waits.getAsBoolean());
        }
        stop(started);
        if (Duration.ofNanos(System.nanoTime() - began).toMillis() > LONGEST_PAUSE_MS) {
          pauseMs = SHORTEST_PAUSE_MS;
        }
      } catch (Exception e) {
        problem = Failures.describe(e);
        LOG.debug("topology {} cannot start yet", name, e);
      }
      if (!closed(pauseMs)) {
        pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
      }
    }
  }

  private synchronized void run(KafkaStreams started, CountDownLatch failed) {
    started.setUncaughtExceptionHandler(
        failure -> {
          problem = Failures.describe(failure);
          LOG.warn("topology {} failed and is started again", name, failure);
          failed.countDown();
          return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
        });
    started.setStateListener(
        (now, before) -> {
          if (now == KafkaStreams.State.RUNNING) {
            problem = null;
          }
        });
    if (paused || waiting) {
      started.pause();
    }
    client = started;
    started.start();
  }

  private void stop(KafkaStreams started) {
    synchronized (this) {
      client = null;
    }
    if (!started.close(CLOSE_LIMIT)) {
      LOG.warn("topology {} did not stop within {} s", name, CLOSE_LIMIT.toSeconds());
    }
  }

  /** Waits a moment. */
  private static boolean isOver(CountDownLatch latch) {
    try {
      return latch.await(LOOK_MS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return true;
    }
  }

  private boolean closed(long waitMs) {
    try {
      return closing.await(waitMs, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return true;
    }
  }

  synchronized void pause() {
    paused = true;
    pauseOrResume();
  }

  synchronized void resume() {
    paused = false;
    pauseOrResume();
  }

  private synchronized void makeWay(boolean wait) {
    if (wait != waiting) {
      waiting = wait;
      pauseOrResume();
    }
  }

  private synchronized void pauseOrResume() {
    if (client == null) {
      return;
    }
    if (paused || waiting) {
      client.pause();
    } else {
      client.resume();
    }
  }

  synchronized boolean paused() {
    return paused;
  }

  /** What keeps the topology from working at the moment. */
  Optional<String> problem() {
    return Optional.ofNullable(problem);
  }

  @Override
  public void close() {
    closing.countDown();
    over.countDown();
    try {
      thread.join(CLOSE_LIMIT.multipliedBy(2));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
