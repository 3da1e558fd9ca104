package dev.tidemark.capture;

import dev.tidemark.capture.state.PipelineTopics;
import dev.tidemark.topics.Failures;
import dev.tidemark.topics.TopicNames;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the source's slot into the log topic, as one of possibly several processes of which one
 * reads at a time.
 *
 * <p>The reader is the member of the consumer group {@link TopicNames#captureGroup()} that holds
 * the one partition of the offsets topic. A run that fails is started again after a pause that
 * grows from 0.2 s to 10 s; what failed is said by {@link #problem()} until a run goes on. All
 * methods may be called from any thread.
 */
public final class Capture implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Capture.class);

  /** Between two looks at the group and at the run: while none goes on, and while one does. */
  private static final Duration POLL = Duration.ofMillis(50);

  private static final Duration CALM_POLL = Duration.ofMillis(200);
  private static final long SHORTEST_PAUSE_MS = 200;
  private static final long LONGEST_PAUSE_MS = 10_000;

  /**
   * After this long without a failure a run counts as healthy: the problem of the one before is
   * over, and the next pause is short again. One that fails at the same change each time stays a
   * problem.
   */
  private static final long HEALTHY_MS = 5_000;

  private final CaptureConfig config;
  private final TopicNames names;
  private final Thread thread;
  private volatile boolean closed;
  private volatile boolean paused;
  private volatile boolean leader;
  private volatile boolean running;
  private volatile @Nullable String problem;

  /**
   * Asked for once, however often the group or a run is begun again; only the working thread uses
   * it.
   */
  private boolean startOver;

  private Capture(CaptureConfig config) {
    this.config = config;
    this.startOver = config.startOver();
    this.names = new TopicNames(config.routes().pipeline());
    this.thread =
        Thread.ofPlatform().name("tidemark-capture-" + names.pipeline()).unstarted(this::work);
  }

  /** Starts in the background: Kafka and the source may come up later. */
  public static Capture start(CaptureConfig config) {
    Capture capture = new Capture(config);
    capture.thread.start();
    return capture;
  }

  /** Stops reading, and stays the leader. Returns when nothing is read any more. */
  public void pause() {
    try {
      synchronized (this) {
        paused = true;
        while (running && thread.isAlive()) {
          wait(POLL.toMillis());
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Reads again after {@link #pause}. */
  public void resume() {
    paused = false;
  }

  /** Whether {@link #pause} is in force. */
  public boolean paused() {
    return paused;
  }

  /**
   * Why nothing is read at the moment; empty while all is well, also where another process is the
   * leader.
   */
  public Optional<String> problem() {
    return Optional.ofNullable(problem);
  }

  private void work() {
    long pauseMs = SHORTEST_PAUSE_MS;
    while (!closed) {
      try {
        lead(
            PipelineTopics.ensure(
                config.kafkaBootstrap(),
                names,
                config.routes().partitions(),
                config.replicationFactor()));
        pauseMs = SHORTEST_PAUSE_MS;
      } catch (RuntimeException | LinkageError e) {
        report(e);
        pauseMs = sleep(pauseMs);
      }
    }
  }

  /** Stays in the group until this capture is closed or Kafka fails. */
  private void lead(String log) {
    Map<String, Object> settings =
        Map.of(
            // Sticky: a process that joins does not take the slot from one that reads it.
            "partition.assignment.strategy",
            CooperativeStickyAssignor.class.getName(),
            "bootstrap.servers",
            config.kafkaBootstrap(),
            "group.id",
            names.captureGroup(),
            // A process that comes back under its name takes its place at once, without waiting for
            // a session to end.
            "group.instance.id",
            config.instance(),
            "session.timeout.ms",
            10_000,
            "heartbeat.interval.ms",
            2_000,
            // Also how often the heartbeat's thread looks at its clock.
            "retry.backoff.ms",
            500,
            "enable.auto.commit",
            false,
            "auto.offset.reset",
            "latest");
    try (KafkaConsumer<byte[], byte[]> election =
            new KafkaConsumer<>(
                settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        Runs runs = new Runs(log)) {
      election.subscribe(List.of(names.offsets()), new Leadership(runs));
      while (!closed) {
        election.poll(runs.goesOn() ? CALM_POLL : POLL);
        election.pause(election.assignment());
        runs.check();
      }
    } finally {
      leader = false;
    }
  }

  /** Called by the group on the thread that polls. */
  private final class Leadership implements ConsumerRebalanceListener {

    private final Runs runs;

    Leadership(Runs runs) {
      this.runs = runs;
    }

    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
      if (!partitions.isEmpty()) {
        leader = true;
      }
    }

    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
      if (!partitions.isEmpty()) {
        leader = false;
        runs.check();
      }
    }
  }

  /** The current run, if there is one. Only the thread that polls the group calls it. */
  private final class Runs implements AutoCloseable {

    private final String log;
    private @Nullable CaptureRun run;
    private long pauseMs = SHORTEST_PAUSE_MS;
    private long startedNanos;
    private long notBeforeNanos = System.nanoTime();

    Runs(String log) {
      this.log = log;
    }

    boolean goesOn() {
      return run != null;
    }

    void check() {
      boolean wanted = leader && !paused && !closed;
      CaptureRun current = run;
      if (current != null) {
        Throwable failure = current.failure();
        if (failure != null) {
          failed(failure);
        } else if (!wanted) {
          stop();
          problem = null;
        } else if (elapsedMs(startedNanos) > HEALTHY_MS) {
          pauseMs = SHORTEST_PAUSE_MS;
          problem = null;
        }
      } else if (wanted && System.nanoTime() - notBeforeNanos >= 0) {
        begin();
      }
    }

    private void begin() {
      synchronized (Capture.this) {
        // A pause that has returned must not be followed by a run that was about to begin.
        if (paused) {
          return;
        }
        running = true;
      }
      try {
        startedNanos = System.nanoTime();
        run = new CaptureRun(config, log, startOver);
        startOver = false;
      } catch (SQLException | RuntimeException | LinkageError e) {
        failed(e);
      }
    }

    private void failed(Throwable failure) {
      report(failure);
      stop();
      notBeforeNanos = System.nanoTime() + Duration.ofMillis(pauseMs).toNanos();
      pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
    }

    private void stop() {
      CaptureRun current = run;
      run = null;
      if (current != null) {
        current.close();
      }
      running = false;
      synchronized (Capture.this) {
        Capture.this.notifyAll();
      }
    }

    @Override
    public void close() {
      stop();
    }
  }

  private void report(Throwable failure) {
    problem = Failures.describe(failure);
    LOG.warn("capture of {} stopped and will be tried again", names.pipeline(), failure);
  }

  private static long elapsedMs(long sinceNanos) {
    return Duration.ofNanos(System.nanoTime() - sinceNanos).toMillis();
  }

  private long sleep(long pauseMs) {
    try {
      Thread.sleep(pauseMs);
    } catch (InterruptedException e) {
      closed = true;
    }
    return Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
  }

  /** Stops reading, leaves the group, and waits until both are done. */
  @Override
  public void close() {
    closed = true;
    try {
      thread.join(Duration.ofSeconds(40));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
