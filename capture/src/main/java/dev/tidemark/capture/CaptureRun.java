package dev.tidemark.capture;

import dev.tidemark.capture.assemble.SourceEvent;
import dev.tidemark.capture.assemble.TenantIdentity;
import dev.tidemark.capture.assemble.TransactionAssembler;
import dev.tidemark.capture.engine.Engine;
import dev.tidemark.capture.state.PipelineState;
import dev.tidemark.capture.state.SlotState;
import dev.tidemark.capture.state.SourceTables;
import dev.tidemark.capture.state.StartDecision;
import dev.tidemark.capture.state.StateTopic;
import dev.tidemark.topics.Generation;
import dev.tidemark.topics.Lsn;
import dev.tidemark.topics.ServerIdentity;
import dev.tidemark.topics.Sessions;
import dev.tidemark.topics.TopicNames;
import dev.tidemark.topics.log.LogRecord;
import dev.tidemark.topics.route.RouteFile;
import dev.tidemark.topics.route.TableName;
import dev.tidemark.topics.schema.ResolvedRoute;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One run of the slot's reader: decides how to begin, then moves events into the log until it fails
 * or is closed.
 *
 * <p>Four threads work in it: the engine's, the one that stores positions, the ticker's and that of
 * the looks at the catalog. The assembler and the writer are guarded by {@code lock}, {@code state}
 * by {@code stateLock}. The connection to the source belongs to the ticker once it runs, the watch
 * to the looks.
 */
final class CaptureRun implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(CaptureRun.class);
  private static final int MAX_PART_BYTES = 512 << 10;

  /**
   * How often partitions without rows are told how far the log is while transactions flow. A reader
   * who wants it sooner makes the gateway write a message, which tells them all.
   */
  private static final Duration PROGRESS = Duration.ofMillis(250);

  private static final long EPOCH_2026_SECONDS = 1_767_225_600L;

  private final CaptureConfig config;
  private final StateTopic stateTopic;
  private final Source source;
  private final LogWriter writer;
  private @Nullable SourceWatch watch;
  private final VerifiedSink verified;
  private final Object lock = new Object();
  private final Object stateLock = new Object();
  private final TransactionAssembler assembler;
  private final Engine engine;
  private final ScheduledExecutorService ticker;
  private final BeaconPolicy beacons = new BeaconPolicy(System.nanoTime());

  private PipelineState state;
  private @Nullable Lsn storable;
  private boolean transactionsSinceBeacon;
  private long toldNanos = System.nanoTime();
  private @Nullable SnapshotProgress snapshot;
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
    String application = Sessions.capture(routes.pipeline(), config.instance());
    this.source = new Source(config, application);
    this.stateTopic = new StateTopic(names, config.kafkaBootstrap());
    this.writer = new LogWriter(names, config.kafkaBootstrap());
    try {
      List<ResolvedRoute> resolved = source.resolve(routes);
      SourceWatch looks = Source.watch(config, resolved, application);
      this.watch = looks;
      SourceTables tables = looks.read();
      source.requirePublished(routes, looks);
      Map<TableName, TenantIdentity> identities = source.tenantIdentities(routes);
      if (!source.resolve(routes).equals(resolved)) {
        throw new IllegalStateException("the source's tables changed while capture looked at them");
      }
      ServerIdentity server = source.identity();
      // In this order: a former leader that still worked could move the slot, after it has stored a
      // position, between a look at the positions and one at the slot.
      source.releaseSlot(routes.slot());
      Optional<SlotState> slot = source.slot(routes.slot());
      Optional<PipelineState> remembered = stateTopic.read();
      int run = remembered.map(PipelineState::run).orElse(0) + 1;
      String fingerprint = Source.fingerprint(routes, resolved);
      this.verified =
          new VerifiedSink(routes.pipeline(), writer, lock, () -> requireUnchanged(looks));
      StartDecision decision =
          startOver
              ? new StartDecision.NewGeneration("the replica lacks rows")
              : StartDecision.of(
                  remembered, log, fingerprint, server, tables, slot, source.flushPosition());
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
                  verified,
                  MAX_PART_BYTES,
                  resume.position(),
                  Instant.now());
          synchronized (lock) {
            assembler.tellProgress();
          }
        }
        case StartDecision.NewGeneration fresh -> {
          Generation generation = newGeneration(server, remembered);
          LOG.info(
              "capture starts generation={} of pipeline={} with a snapshot: {}",
              generation.number(),
              routes.pipeline(),
              fresh.reason());
          this.state =
              new PipelineState(
                  generation, log, fingerprint, server, tables, run, Optional.empty());
          startGeneration(generation);
          this.assembler =
              TransactionAssembler.forSnapshot(
                  routes, identities, generation.number(), run, verified, MAX_PART_BYTES);
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
    verified.start();
    this.ticker =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("tidemark-capture-ticker-" + routes.pipeline()).factory());
    tickAfter(BeaconPolicy.QUICK);
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

  /**
   * Makes sure that the stream still tells everything of the tables that were read. Where it does
   * not, that is remembered, so that no later run goes on in this generation: a change that is
   * taken back leaves its traces in the stream all the same.
   *
   * @throws IllegalStateException naming the routes that the stream fails
   */
  private void requireUnchanged(SourceWatch watch) throws SQLException {
    SourceTables now = watch.read();
    synchronized (stateLock) {
      SourceTables before = state.tables();
      if (now.equals(before)) {
        return;
      }
      Optional<SourceTables.Difference> difference = before.difference(now);
      if (difference.isEmpty()) {
        state = state.of(now);
        return;
      }
      state = state.of(SourceTables.NONE);
      stateTopic.write(state);
      throw new IllegalStateException(
          "the stream does not tell everything any more of what %s show: %s. Capture reads all rows again, as a new generation, as soon as the routes fit the source"
              .formatted(watch.routesOf(difference.get().table()), difference.get().what()));
    }
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
    Throwable changed = verified.failure();
    if (changed != null) {
      return changed;
    }
    return engine.ended()
        ? new IllegalStateException("the engine ended without being told to")
        : null;
  }

  private void tickAfter(Duration pause) {
    var unused = ticker.schedule(this::tick, pause.toNanos(), TimeUnit.NANOSECONDS);
  }

  private void tick() {
    if (failure() != null) {
      return;
    }
    try {
      Lsn published;
      boolean transactions;
      long now = System.nanoTime();
      synchronized (lock) {
        if (now - toldNanos >= PROGRESS.toNanos()) {
          assembler.tellProgress();
          toldNanos = now;
        }
        published = assembler.position();
        transactions = transactionsSinceBeacon;
      }
      if (beacons.due(now, source.insertPosition(), published)) {
        source.emitBeacon();
        beacons.emitted(now, published, transactions);
        synchronized (lock) {
          transactionsSinceBeacon = false;
        }
      }
      tickAfter(beacons.pause(now));
    } catch (RejectedExecutionException e) {
      LOG.debug("the run was closed during a tick", e);
    } catch (SQLException | RuntimeException e) {
      tickFailure = e;
    }
  }

  /** Called by the engine's thread alone. */
  private void sayProgress(SourceEvent event) {
    SnapshotProgress current = snapshot;
    if (event instanceof SourceEvent.SnapshotRow row) {
      if (current == null) {
        current = new SnapshotProgress(System.nanoTime());
        snapshot = current;
      }
      current
          .row(row.change().relation().table(), System.nanoTime())
          .ifPresent(line -> LOG.info("pipeline={} {}", config.routes().pipeline(), line));
    } else if (current != null) {
      LOG.info("pipeline={} {}", config.routes().pipeline(), current.end(System.nanoTime()));
      snapshot = null;
    }
  }

  /** What the engine calls. */
  private final class RunHandler implements Engine.Handler {

    @Override
    public Optional<Lsn> position() {
      synchronized (stateLock) {
        return state.position();
      }
    }

    @Override
    public void accept(SourceEvent event) {
      sayProgress(event);
      synchronized (lock) {
        assembler.accept(event);
        if (event instanceof SourceEvent.Row) {
          transactionsSinceBeacon = true;
        }
      }
      verified.awaitRoom();
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
      synchronized (stateLock) {
        PipelineState next = state.at(position);
        stateTopic.write(next);
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
    verified.close();
    storeLast();
    closeConnections();
  }

  /** So that the next run sends nothing twice that this one could finish. */
  private void storeLast() {
    try {
      Lsn last;
      synchronized (lock) {
        writer.flush();
        last = writer.storable().orElse(storable);
      }
      synchronized (stateLock) {
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
      if (watch != null) {
        watch.close();
      }
    } catch (SQLException e) {
      LOG.debug("the connection to the source did not close cleanly", e);
    }
  }
}
