package dev.tidemark.capture.engine;

import dev.tidemark.capture.assemble.SourceEvent;
import dev.tidemark.topics.Lsn;
import dev.tidemark.topics.route.TableName;
import io.debezium.embedded.Connect;
import io.debezium.engine.ChangeEvent;
import io.debezium.engine.DebeziumEngine;
import io.debezium.engine.DebeziumEngine.Offsets;
import io.debezium.engine.DebeziumEngine.RecordCommitter;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.connect.source.SourceRecord;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One run of the embedded engine, from start to its end. Single-use: after a failure a new one is
 * made, which goes on after the stored position. {@link #failure()} and {@link #ended()} may be
 * called from any thread.
 */
public final class Engine implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Engine.class);
  private static final AtomicLong RUNS = new AtomicLong();
  private static final long CLOSE_LIMIT_SECONDS = 30;

  private final String name;
  private final DebeziumEngine<ChangeEvent<SourceRecord, SourceRecord>> engine;
  private final ExecutorService thread;
  private final CountDownLatch ended = new CountDownLatch(1);
  private final Confirmer confirmer;
  private volatile @Nullable Throwable failure;

  /** What the engine reads from and writes to. */
  public interface Handler {

    /** The position to go on after; empty for a snapshot. */
    Optional<Lsn> position();

    /** Takes the next event. An exception ends the run. */
    void accept(SourceEvent event);

    /** The position that may be stored now, if there is a new one. */
    Optional<Lsn> storable();

    /** Stores a position, durably, before it returns. */
    void store(Lsn position);
  }

  /**
   * Starts reading. Events come from the engine's thread, one after the other; {@link
   * Handler#storable} and {@link Handler#store} are called from another.
   */
  public Engine(
      String pipeline,
      String jdbcUrl,
      String user,
      String password,
      String slot,
      String publication,
      SequencedSet<TableName> tables,
      Handler handler) {
    this.name = "tidemark_" + pipeline + "_" + RUNS.incrementAndGet();
    EngineSettings settings =
        new EngineSettings(name, jdbcUrl, user, password, slot, publication, tables);
    PositionStore.register(name, handler::position);
    EventReader reader = new EventReader(name, tables);
    this.confirmer = new Confirmer(pipeline, handler::storable, handler::store, this::failed);
    this.engine =
        DebeziumEngine.create(Connect.class)
            .using(settings.toProperties())
            .notifying(
                (List<ChangeEvent<SourceRecord, SourceRecord>> batch,
                    RecordCommitter<ChangeEvent<SourceRecord, SourceRecord>> committer) ->
                    handle(batch, committer, reader, handler))
            .using(this::completed)
            .build();
    this.thread =
        Executors.newSingleThreadExecutor(
            Thread.ofPlatform().name("tidemark-capture-engine-" + pipeline).factory());
    thread.execute(engine);
  }

  private void handle(
      List<ChangeEvent<SourceRecord, SourceRecord>> batch,
      RecordCommitter<ChangeEvent<SourceRecord, SourceRecord>> committer,
      EventReader reader,
      Handler handler)
      throws InterruptedException {
    try {
      for (ChangeEvent<SourceRecord, SourceRecord> event : batch) {
        reader.read(event.value()).ifPresent(handler::accept);
      }
      if (!batch.isEmpty()) {
        ChangeEvent<SourceRecord, SourceRecord> last = batch.getLast();
        confirmer.confirmWith(position -> confirm(committer, last, position));
      }
    } catch (RuntimeException e) {
      // Kept here since the engine wraps it, and drops the batch without a word when it is
      // Connect's RetriableException.
      failure = e;
      throw new IllegalStateException("capture cannot go on", e);
    }
  }

  /** Debezium confirms to the source what is marked here: never more than was stored. */
  private static void confirm(
      RecordCommitter<ChangeEvent<SourceRecord, SourceRecord>> committer,
      ChangeEvent<SourceRecord, SourceRecord> last,
      Lsn position)
      throws InterruptedException {
    Offsets offsets = committer.buildOffsets();
    offsets.set(PositionStore.LSN, position.value());
    offsets.set(PositionStore.COMMIT_LSN, position.value());
    committer.markProcessed(last, offsets);
    committer.markBatchFinished();
  }

  /** The first reason is the one that counts: others may come of it. */
  private void failed(Throwable error) {
    if (failure == null) {
      failure = error;
    }
  }

  private void completed(boolean success, @Nullable String message, @Nullable Throwable error) {
    if (!success) {
      failed(error == null ? new IllegalStateException("the engine ended: " + message) : error);
    }
    ended.countDown();
  }

  /** Whether the run is over, by a failure or by {@link #close}. */
  public boolean ended() {
    return ended.getCount() == 0;
  }

  /** Why the run ended; null while it goes on and after {@link #close}. */
  public @Nullable Throwable failure() {
    return failure;
  }

  /** Stops reading and waits until nothing runs any more, for at most 30 s. */
  @Override
  public void close() {
    confirmer.close();
    try {
      if (!ended()) {
        engine.close();
      }
      if (!ended.await(CLOSE_LIMIT_SECONDS, TimeUnit.SECONDS)) {
        LOG.warn("the engine of {} did not end within {} s", name, CLOSE_LIMIT_SECONDS);
      }
    } catch (IOException | IllegalStateException e) {
      LOG.warn("the engine of {} did not close cleanly", name, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      thread.shutdownNow();
      PositionStore.unregister(name);
    }
  }
}
