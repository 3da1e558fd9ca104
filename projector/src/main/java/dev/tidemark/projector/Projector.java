package dev.tidemark.projector;

import dev.tidemark.projector.replica.OffsetAlignment;
import dev.tidemark.projector.replica.ReplicaTopology;
import dev.tidemark.projector.replica.Stops;
import dev.tidemark.projector.tables.TablesTopology;
import dev.tidemark.topics.Failures;
import dev.tidemark.topics.TopicNames;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the two topologies: the one that writes the replica, and the one that writes the table
 * topics. All methods may be called from any thread.
 *
 * <p>What fails is tried again for as long as the projector is open; {@link #problem()} says what
 * fails.
 */
public final class Projector implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Projector.class);
  private static final long SHORTEST_PAUSE_MS = 100;
  private static final long LONGEST_PAUSE_MS = 5_000;
  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(15);

  private final ProjectorConfig config;
  private final Stops stops = new Stops();
  private final CountDownLatch closing = new CountDownLatch(1);
  private final Thread starter;
  private final List<KafkaStreams> clients = new ArrayList<>();
  private volatile boolean paused;
  private volatile @Nullable String problem;

  private Projector(ProjectorConfig config) {
    this.config = config;
    this.starter =
        Thread.ofPlatform()
            .name("tidemark-projector-" + config.routes().pipeline())
            .unstarted(this::begin);
  }

  /** Starts in the background: Kafka, the log topic and the replica may come up later. */
  public static Projector start(ProjectorConfig config) {
    Projector projector = new Projector(config);
    projector.starter.start();
    return projector;
  }

  private void begin() {
    long pauseMs = SHORTEST_PAUSE_MS;
    while (closing.getCount() > 0) {
      try {
        OffsetAlignment.align(config);
        startClients();
        problem = null;
        return;
      } catch (SQLException | RuntimeException e) {
        problem = Failures.describe(e);
        LOG.debug("the projector cannot begin yet", e);
        pauseMs = pause(pauseMs);
      }
    }
  }

  private synchronized void startClients() {
    if (closing.getCount() == 0) {
      return;
    }
    for (KafkaStreams client :
        List.of(ReplicaTopology.client(config, stops), TablesTopology.client(config))) {
      clients.add(client);
      client.setUncaughtExceptionHandler(this::failed);
      if (paused) {
        client.pause();
      }
      client.start();
    }
  }

  private StreamThreadExceptionResponse failed(Throwable failure) {
    problem = Failures.describe(failure);
    LOG.warn("a thread of the projector failed and is replaced", failure);
    var unused = pause(500);
    problem = null;
    return StreamThreadExceptionResponse.REPLACE_THREAD;
  }

  private long pause(long pauseMs) {
    try {
      var unused = closing.await(pauseMs, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
  }

  /**
   * Stops projecting. What was polled before may still be committed; what is written after is not.
   */
  public synchronized void pause() {
    paused = true;
    clients.forEach(KafkaStreams::pause);
  }

  /** Goes on after {@link #pause}. */
  public synchronized void resume() {
    paused = false;
    clients.forEach(KafkaStreams::resume);
  }

  /** Whether {@link #pause} is in force. */
  public boolean paused() {
    return paused;
  }

  /** Whether both topologies have their partitions and work. */
  public synchronized boolean running() {
    return !clients.isEmpty()
        && clients.stream().allMatch(client -> client.state() == KafkaStreams.State.RUNNING);
  }

  /** Which partitions of this process stand still, and why. */
  public Map<Integer, String> stops() {
    return stops.reasons();
  }

  /** What keeps the projector from working at the moment; empty while all is well. */
  public Optional<String> problem() {
    return Optional.ofNullable(problem);
  }

  /** The topics that this projector reads and writes. */
  public TopicNames topics() {
    return new TopicNames(config.routes().pipeline());
  }

  /** Stops both topologies and waits until they have stopped, for at most 30 s. */
  @Override
  public void close() {
    closing.countDown();
    try {
      starter.join(CLOSE_LIMIT);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    synchronized (this) {
      for (KafkaStreams client : clients) {
        if (!client.close(CLOSE_LIMIT)) {
          LOG.warn("a topology of the projector did not stop within {} s", CLOSE_LIMIT.toSeconds());
        }
      }
    }
  }
}
