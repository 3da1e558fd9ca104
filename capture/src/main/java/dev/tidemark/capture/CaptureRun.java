package dev.tidemark.capture;

import dev.tidemark.capture.assemble.SourceEvent;
import dev.tidemark.capture.assemble.TenantIdentity;
import dev.tidemark.capture.assemble.TransactionAssembler;
import dev.tidemark.capture.engine.Engine;
import dev.tidemark.capture.state.PipelineState;
import dev.tidemark.capture.state.ServerIdentity;
import dev.tidemark.capture.state.SlotState;
import dev.tidemark.capture.state.StartDecision;
import dev.tidemark.capture.state.StateTopic;
import dev.tidemark.topics.Generation;
import dev.tidemark.topics.Lsn;
import dev.tidemark.topics.Sessions;
import dev.tidemark.topics.TopicNames;
import dev.tidemark.topics.log.LogRecord;
import dev.tidemark.topics.route.RouteFile;
import dev.tidemark.topics.route.TableName;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One run of the slot's reader: decides how to begin, then moves events into the log until it fails
 * or is closed.
 *
 * <p>Two threads work in it, the engine's and the ticker's. The assembler, the writer and {@code
 * state} are guarded by {@code lock}; the connection to the source belongs to the ticker once it
 * runs.
 */
final class CaptureRun implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(CaptureRun.class);
  private static final int MAX_PART_BYTES = 512 << 10;
  private static final long TICK_MS = 20;
  private static final long EPOCH_2026_SECONDS = 1_767_225_600L;

  private final CaptureConfig config;
  private final StateTopic stateTopic;
  private final Source source;
  private final LogWriter writer;
  private final Object lock = new Object();
  private final TransactionAssembler assembler;
  private final Engine engine;
  private final ScheduledExecutorService ticker;
  private final BeaconPolicy beacons = new BeaconPolicy(System.nanoTime());

  private PipelineState state;
  private @Nullable Lsn storable;
  private boolean transactionsSinceBeacon;
  private volatile @Nullable Throwable tickFailure;

  /**
   * Begins. Blocks while it drops an old slot and writes the start of a generation, for seconds at
   * most.
   *
   * @param log the id of the log topic
   * @param startOver begin a new generation, whatever is remembered
   */
  CaptureRun(CaptureConfig config, String log, boolean startOver) throws SQLException {
    this.config = config;
    RouteFile routes = config.routes();
    TopicNames names = new TopicNames(routes.pipeline());
    this.source = new Source(config, Sessions.capture(routes.pipeline(), config.instance()));
    this.stateTopic = new StateTopic(names, config.kafkaBootstrap());
    this.writer = new LogWriter(names, config.kafkaBootstrap());
    try {
      source.requirePublished(routes);
      Map<TableName, TenantIdentity> identities = source.tenantIdentities(routes);
      ServerIdentity server = source.identity();
      // In this order: a former leader that still worked could move the slot, after it has stored a
      // position, between a look at the positions and one at the slot.
      source.releaseSlot(routes.slot());
      Optional<SlotState> slot = source.slot(routes.slot());
      Optional<PipelineState> remembered = stateTopic.read();
      int run = remembered.map(PipelineState::run).orElse(0) + 1;
      String fingerprint = source.fingerprint(routes);
      StartDecision decision =
          startOver
              ? new StartDecision.NewGeneration("the replica lacks rows")
              : StartDecision.of(
                  remembered, log, fingerprint, server, slot, source.flushPosition());
      switch (decision) {
        case StartDecision.Resume resume -> {
          LOG.info(
              "capture resumes pipeline={} after lsn={}", routes.pipeline(), resume.position());
          this.state = resume.state().inRun(run);
          stateTopic.begin(state);
          this.assembler =
              TransactionAssembler.resuming(
                  routes,
                  identities,
                  state.generation().number(),
                  run,
                  writer,
                  MAX_PART_BYTES,
                  resume.position(),
                  Instant.now());
          assembler.tellProgress();
        }
        case StartDecision.NewGeneration fresh -> {
          Generation generation = newGeneration(server, remembered);
          LOG.info(
              "capture starts generation={} of pipeline={} with a snapshot: {}",
              generation.number(),
              routes.pipeline(),
              fresh.reason());
          this.state =
              new PipelineState(generation, log, fingerprint, server, run, Optional.empty());
          startGeneration(generation);
          this.assembler =
              TransactionAssembler.forSnapshot(
                  routes, identities, generation.number(), run, writer, MAX_PART_BYTES);
        }
      }
      this.engine =
          new Engine(
              routes.pipeline(),
              config.sourceJdbcUrl(),
              config.user(),
              config.password(),
              routes.slot(),
              routes.publication(),
              routes.capturedTables(),
              new RunHandler());
    } catch (SQLException | RuntimeException e) {
      closeConnections();
      throw e;
    }
    this.ticker =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("tidemark-capture-ticker-" + routes.pipeline()).factory());
    var unused = ticker.scheduleWithFixedDelay(this::tick, TICK_MS, TICK_MS, TimeUnit.MILLISECONDS);
  }

  /**
   * Numbers grow with the clock, so that they do also where the offsets topic, with the last
   * number, was lost.
   */
  private static Generation newGeneration(
      ServerIdentity server, Optional<PipelineState> remembered) {
    long clock = Instant.now().getEpochSecond() - EPOCH_2026_SECONDS;
    int after = remembered.map(state -> state.generation().number()).orElse(0);
    return server.generation((int) Math.max(Math.max(1, clock), after + 1L));
  }

  private void startGeneration(Generation generation) throws SQLException {
    source.dropSlot(config.routes().slot());
    stateTopic.begin(state);
    for (int partition = 0; partition < config.routes().partitions(); partition++) {
      writer.append(partition, new LogRecord.GenerationStart(generation));
    }
    writer.flush();
  }

  /** Why the run cannot go on; null while it goes on. */
  @Nullable Throwable failure() {
    Throwable engineFailure = engine.failure();
    if (engineFailure != null) {
      return engineFailure;
    }
    if (tickFailure != null) {
      return tickFailure;
    }
    return engine.ended()
        ? new IllegalStateException("the engine ended without being told to")
        : null;
  }

  private void tick() {
    if (failure() != null) {
      return;
    }
    try {
      Lsn published;
      boolean transactions;
      synchronized (lock) {
        assembler.tellProgress();
        published = assembler.position();
        transactions = transactionsSinceBeacon;
      }
      long now = System.nanoTime();
      if (beacons.due(now, source.insertPosition(), published)) {
        source.emitBeacon();
        beacons.emitted(now, published, transactions);
        synchronized (lock) {
          transactionsSinceBeacon = false;
        }
      }
    } catch (SQLException | RuntimeException e) {
      tickFailure = e;
    }
  }

  /** What the engine calls, on its own thread. */
  private final class RunHandler implements Engine.Handler {

    @Override
    public Optional<Lsn> position() {
      synchronized (lock) {
        return state.position();
      }
    }

    @Override
    public void accept(SourceEvent event) {
      synchronized (lock) {
        assembler.accept(event);
        if (event instanceof SourceEvent.Row) {
          transactionsSinceBeacon = true;
        }
      }
    }

    @Override
    public Optional<Lsn> storable() {
      synchronized (lock) {
        Optional<Lsn> position = writer.storable();
        position.ifPresent(newer -> storable = newer);
        return position;
      }
    }

    @Override
    public void store(Lsn position) {
      PipelineState next;
      synchronized (lock) {
        next = state.at(position);
      }
      stateTopic.write(next);
      synchronized (lock) {
        state = next;
      }
    }
  }

  @Override
  public void close() {
    ticker.shutdownNow();
    engine.close();
    try {
      if (!ticker.awaitTermination(10, TimeUnit.SECONDS)) {
        LOG.warn("capture's ticker did not end within 10 s");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    storeLast();
    closeConnections();
  }

  /** So that the next run sends nothing twice that this one could finish. */
  private void storeLast() {
    try {
      synchronized (lock) {
        writer.flush();
        Lsn last = writer.storable().orElse(storable);
        if (last != null && state.position().map(last::isAfter).orElse(true)) {
          stateTopic.write(state.at(last));
        }
      }
    } catch (RuntimeException e) {
      LOG.debug("the last position could not be stored; the next run sends some records again", e);
    }
  }

  private void closeConnections() {
    writer.close();
    stateTopic.close();
    try {
      source.close();
    } catch (SQLException e) {
      LOG.debug("the connection to the source did not close cleanly", e);
    }
  }
}
