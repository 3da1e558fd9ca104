package dev.tidemark.tests.simulation;

import dev.tidemark.capture.assemble.Acknowledgements;
import dev.tidemark.capture.assemble.LogSink;
import dev.tidemark.capture.assemble.SourceEvent;
import dev.tidemark.capture.assemble.TenantIdentity;
import dev.tidemark.capture.assemble.TransactionAssembler;
import dev.tidemark.capture.state.PipelineState;
import dev.tidemark.topics.Generation;
import dev.tidemark.topics.Lsn;
import dev.tidemark.topics.log.Change;
import dev.tidemark.topics.log.LogRecord;
import dev.tidemark.topics.route.RouteFile;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * One run of capture: the product's assembler between the source's log and a producer that keeps
 * its order, but may give a record up and send the next.
 */
final class CaptureModel implements LogSink {

  /** One row or some; whole transactions. */
  private static final int[] PART_BYTES = {20, 60, 1_000};

  /** The run cannot go on. */
  static final class RunFailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    RunFailedException() {
      super("a record was given up", null, false, false);
    }
  }

  private record Pending(LogRecord logRecord, Acknowledgements.Appended appended) {}

  private final Mutant mutant;
  private final RandomGenerator random;
  private final BrokerModel broker;
  private final List<Deque<Pending>> pending =
      IntStream.range(0, SourceModel.PARTITIONS)
          .<Deque<Pending>>mapToObj(partition -> new ArrayDeque<>())
          .toList();
  private final List<Acknowledgements.Appended> unacknowledged = new ArrayList<>();
  private final Acknowledgements acknowledgements = new Acknowledgements();
  private final TransactionAssembler assembler;
  private final Deque<SourceEvent> events = new ArrayDeque<>();
  private final List<SourceModel.Entry> wal;
  private final int timeline;
  private int next;
  private PipelineState state;
  private boolean gaveUp;

  private CaptureModel(
      Mutant mutant,
      RandomGenerator random,
      SourceModel source,
      BrokerModel broker,
      RouteFile routes,
      PipelineState state,
      boolean snapshot) {
    this.mutant = mutant;
    this.random = random;
    this.broker = broker;
    this.wal = source.wal();
    this.timeline = source.timeline();
    this.state = state;
    int partBytes = PART_BYTES[state.generation().number() % PART_BYTES.length];
    int run = mutant == Mutant.UNNUMBERED_RUNS ? 1 : state.run();
    int generation = state.generation().number();
    Map<dev.tidemark.topics.route.TableName, TenantIdentity> identities =
        Map.of(SourceModel.TABLE, TenantIdentity.ALWAYS_SENT);
    this.assembler =
        snapshot
            ? TransactionAssembler.forSnapshot(routes, identities, generation, run, this, partBytes)
            : TransactionAssembler.resuming(
                routes,
                identities,
                generation,
                run,
                this,
                partBytes,
                state.position().orElseThrow(),
                Instant.EPOCH);
  }

  static CaptureModel resume(
      Mutant mutant,
      RandomGenerator random,
      SourceModel source,
      BrokerModel broker,
      RouteFile routes,
      PipelineState state) {
    CaptureModel run = new CaptureModel(mutant, random, source, broker, routes, state, false);
    broker.store(state);
    broker.forgetRunsBefore(state.run());
    run.assembler.tellProgress();
    long position = state.position().orElseThrow().value();
    while (run.next < run.wal.size() && run.wal.get(run.next).lsn() <= position) {
      run.next++;
    }
    return run;
  }

  /** Reads everything anew at the source's end. */
  static CaptureModel start(
      Mutant mutant,
      RandomGenerator random,
      SourceModel source,
      BrokerModel broker,
      RouteFile routes,
      PipelineState state) {
    CaptureModel run = new CaptureModel(mutant, random, source, broker, routes, state, true);
    broker.store(state);
    broker.forgetRunsBefore(state.run());
    for (int partition = 0; partition < SourceModel.PARTITIONS; partition++) {
      run.append(partition, new LogRecord.GenerationStart(state.generation()));
    }
    run.flush();
    run.next = run.wal.size();
    Lsn consistentPoint = new Lsn(source.end());
    source
        .rows()
        .forEach(
            (id, row) ->
                run.events.add(
                    new SourceEvent.SnapshotRow(
                        new Change(
                            Change.Operation.SNAPSHOT,
                            SourceModel.RELATION,
                            null,
                            SourceModel.tuple(id, row),
                            consistentPoint,
                            1,
                            1))));
    source.beacon();
    return run;
  }

  Generation generation() {
    return state.generation();
  }

  int timeline() {
    return timeline;
  }

  @Override
  public void append(int partition, LogRecord logRecord) {
    pending.get(partition).add(new Pending(mutated(logRecord), acknowledgements.append()));
  }

  private LogRecord mutated(LogRecord logRecord) {
    if (mutant != Mutant.UNCHAINED_RECORDS) {
      return logRecord;
    }
    return switch (logRecord) {
      case LogRecord.TransactionPart part ->
          new LogRecord.TransactionPart(
              part.generation(),
              part.run(),
              Lsn.ZERO,
              part.xid(),
              part.part(),
              part.commitLsn(),
              part.commitTime(),
              part.changes());
      case LogRecord.Progress progress ->
          new LogRecord.Progress(
              progress.generation(), Lsn.ZERO, progress.lsn(), progress.sourceTime());
      default -> logRecord;
    };
  }

  @Override
  public void flush() {
    if (mutant == Mutant.SNAPSHOT_END_UNFLUSHED) {
      return;
    }
    for (int partition = 0; partition < SourceModel.PARTITIONS; partition++) {
      while (deliver(partition)) {
        // until nothing is left
      }
    }
    acknowledge();
    if (gaveUp) {
      throw new RunFailedException();
    }
  }

  @Override
  public void completed(Lsn position) {
    acknowledgements.completed(position);
  }

  /** Takes the next event of the slot; false when there is none. */
  boolean read() {
    if (events.isEmpty()) {
      if (next >= wal.size()) {
        return false;
      }
      switch (wal.get(next++)) {
        case SourceModel.Transaction transaction -> {
          events.add(new SourceEvent.Begin(transaction.xid(), Instant.EPOCH));
          transaction.changes().forEach(change -> events.add(new SourceEvent.Row(change)));
          events.add(new SourceEvent.Commit(new Lsn(transaction.lsn()), Instant.EPOCH));
        }
        case SourceModel.Beacon beacon ->
            events.add(new SourceEvent.Mark(new Lsn(beacon.lsn()), Instant.EPOCH));
      }
    }
    SourceEvent event = events.remove();
    assembler.accept(event);
    if (mutant == Mutant.WATERMARK_FROM_ROW_POSITIONS && event instanceof SourceEvent.Row row) {
      for (int partition = 0; partition < SourceModel.PARTITIONS; partition++) {
        append(
            partition,
            new LogRecord.Progress(
                state.generation().number(), Lsn.ZERO, row.change().lsn(), Instant.EPOCH));
      }
    }
    return true;
  }

  void tick() {
    assembler.tellProgress();
  }

  /** The broker takes the oldest record of the partition; false when there is none. */
  boolean deliver(int partition) {
    Pending oldest = pending.get(partition).poll();
    if (oldest == null) {
      return false;
    }
    broker.log(partition).add(oldest.logRecord());
    unacknowledged.add(oldest.appended());
    return true;
  }

  void acknowledge() {
    unacknowledged.forEach(Acknowledgements.Appended::acknowledged);
    unacknowledged.clear();
  }

  /** The producer gives up the oldest record of the partition, and will send those behind it. */
  void giveUp(int partition) {
    if (pending.get(partition).poll() != null) {
      gaveUp = true;
    }
  }

  boolean gaveUp() {
    return gaveUp;
  }

  boolean nothingPending() {
    return pending.stream().allMatch(Deque::isEmpty);
  }

  /** What is stored now, if something is. */
  Optional<Lsn> store() {
    Optional<Lsn> position =
        mutant == Mutant.OFFSET_BEFORE_ACKNOWLEDGEMENT
            ? Optional.of(assembler.position()).filter(at -> at.isAfter(Lsn.ZERO))
            : acknowledgements.storable();
    position.ifPresent(
        at -> {
          state = state.at(at);
          broker.store(state);
        });
    return position;
  }

  /** One of the things that a run does, also when it has lost the slot and does not know. */
  void anything() {
    switch (random.nextInt(6)) {
      case 0, 1 -> read();
      case 2 -> tick();
      case 3, 4 -> deliver(random.nextInt(SourceModel.PARTITIONS));
      default -> acknowledge();
    }
  }
}
