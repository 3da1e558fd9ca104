package dev.tidemark.capture.engine;

import dev.tidemark.topics.Lsn;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores positions and then confirms them to the source, once a second, on a thread of its own: the
 * log has to acknowledge the one, and the other waits for the lock under which pgjdbc reads the
 * slot. The engine's thread handles events meanwhile, and what its last batch brought is stored
 * also when no further one comes.
 */
final class Confirmer implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Confirmer.class);
  private static final Duration EVERY = Duration.ofSeconds(1);

  /** Until the first position is stored a restart would have to read everything anew. */
  private static final Duration AT_FIRST = Duration.ofMillis(100);

  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(10);

  /** Tells the source that it may forget what is at or before a position. */
  @FunctionalInterface
  interface Confirmation {
    void confirm(Lsn position) throws InterruptedException;
  }

  private final Supplier<Optional<Lsn>> storable;
  private final Consumer<Lsn> store;
  private final Consumer<Throwable> failed;
  private final CountDownLatch closing = new CountDownLatch(1);
  private final Thread thread;
  private volatile @Nullable Confirmation confirmation;

  /**
   * Begins; nothing is stored before {@link #confirmWith} was called.
   *
   * @param storable tells the position that may be stored now, if there is a new one
   * @param store stores a position durably
   * @param failed is told why one could not be stored or confirmed; no further one is
   */
  Confirmer(
      String pipeline,
      Supplier<Optional<Lsn>> storable,
      Consumer<Lsn> store,
      Consumer<Throwable> failed) {
    this.storable = storable;
    this.store = store;
    this.failed = failed;
    this.thread =
        Thread.ofPlatform().name("tidemark-capture-confirmer-" + pipeline).start(this::work);
  }

  /** How positions are confirmed from now on. Thread-safe. */
  void confirmWith(Confirmation newest) {
    confirmation = newest;
  }

  private void work() {
    Duration pause = AT_FIRST;
    try {
      while (!closing.await(pause.toMillis(), TimeUnit.MILLISECONDS)) {
        Confirmation how = confirmation;
        Optional<Lsn> position = how == null ? Optional.empty() : storable.get();
        if (how != null && position.isPresent()) {
          store.accept(position.get());
          how.confirm(position.get());
          pause = EVERY;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      failed.accept(e);
    }
  }

  /** Returns when the position that was just being confirmed is, or was given up after 10 s. */
  @Override
  public void close() {
    closing.countDown();
    try {
      if (!thread.join(CLOSE_LIMIT)) {
        LOG.warn("a position was not stored and confirmed within {}", CLOSE_LIMIT);
        thread.interrupt();
      }
    } catch (InterruptedException e) {
      thread.interrupt();
      Thread.currentThread().interrupt();
    }
  }
}
