package dev.tidemark.tests.simulation;

import dev.tidemark.capture.state.PipelineState;
import dev.tidemark.capture.state.SlotState;
import dev.tidemark.capture.state.SourceTables;
import dev.tidemark.capture.state.StartDecision;
import dev.tidemark.projector.replica.FencedException;
import dev.tidemark.projector.replica.Watermark;
import dev.tidemark.topics.Generation;
import dev.tidemark.topics.Lsn;
import dev.tidemark.topics.ServerIdentity;
import dev.tidemark.topics.route.RouteFile;
import dev.tidemark.topics.route.RouteFileParser;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * One random schedule: what the source, capture, the broker and the projectors do, and how they
 * fail, in the order that the seed says. The invariants are checked after every step, and at the
 * end, when everything is well again, that everything has arrived.
 */
final class Schedule {

  private static final int PARTITIONS = SourceModel.PARTITIONS;
  private static final String SLOT_LOG = "log";
  private static final RouteFile ROUTES =
      RouteFileParser.parse(
          "simulation.yaml",
          """
          slot: s
          publication: p
          partitions: 3
          routes:
            - table: public.hub
              tenant: tenant
              target: replica_hub
              columns:
                - { name: id, from: id, type: bigint }
                - { name: v, from: v }
          """);

  private final Mutant mutant;
  private final SplittableRandom random;
  private final SourceModel source;
  private final BrokerModel broker;
  private final Map<Integer, TreeMap<Long, Map<Integer, SourceModel.Row>>> histories =
      new HashMap<>();
  private final List<ReplicaModel> replicas;
  private final List<@Nullable ProjectorModel> projectors = new ArrayList<>();
  private final List<ProjectorModel> lateProjectors = new ArrayList<>();
  private final List<TablesModel> tables;
  private final List<Watermark> seen = new ArrayList<>();
  private final List<CaptureModel> lateRuns = new ArrayList<>();
  private @Nullable CaptureModel leader;
  private @Nullable Lsn slot;
  private int generations;

  /** What a schedule did. */
  record Figures(int generations, long watermarks) {}

  Schedule(Mutant mutant, long seed) {
    this.mutant = mutant;
    this.random = new SplittableRandom(seed);
    this.source = new SourceModel(random);
    this.broker = new BrokerModel(mutant);
    this.replicas =
        IntStream.range(0, PARTITIONS).mapToObj(partition -> new ReplicaModel(mutant)).toList();
    this.tables =
        IntStream.range(0, PARTITIONS)
            .mapToObj(partition -> new TablesModel(broker.log(partition)))
            .toList();
    for (int partition = 0; partition < PARTITIONS; partition++) {
      projectors.add(null);
      seen.add(replicas.get(partition).watermark());
    }
  }

  Figures run(int steps) {
    for (int step = 0; step < steps; step++) {
      step();
      check();
    }
    heal();
    check();
    checkEnd();
    return new Figures(
        generations, seen.stream().mapToLong(watermark -> watermark.lsn().value()).sum());
  }

  private void step() {
    int fault = random.nextInt(1_000);
    int partition = random.nextInt(PARTITIONS);
    if (fault < 2) {
      slot = null;
    } else if (fault < 4) {
      failOver();
    } else if (fault < 10) {
      leader = null;
    } else if (fault < 20) {
      suspendLeader();
    } else if (fault < 35) {
      withLeader(run -> run.giveUp(partition));
    } else if (fault < 45) {
      projectors.set(partition, null);
    } else if (fault < 55) {
      takeOver(partition);
    } else if (fault < 60) {
      restore(partition);
    } else if (fault < 70) {
      tables.get(partition).crash();
    } else if (fault < 140) {
      lateRun();
    } else if (fault < 160) {
      lateProjector();
    } else {
      work(partition);
    }
  }

  private void work(int partition) {
    switch (random.nextInt(20)) {
      case 0 -> source.beacon();
      case 1 -> source.otherWork();
      case 2, 3, 4 -> source.work();
      case 5, 6 -> store();
      case 7, 8, 9 -> poll(partition);
      case 10, 11 -> readTables(partition);
      default -> withLeader(CaptureModel::anything);
    }
  }

  /** The state of capture's process while it goes on without the slot. */
  private void suspendLeader() {
    if (leader != null) {
      lateRuns.add(leader);
      leader = null;
    }
  }

  private void lateRun() {
    if (lateRuns.isEmpty()) {
      return;
    }
    CaptureModel run = lateRuns.get(random.nextInt(lateRuns.size()));
    if (random.nextInt(4) == 0) {
      run.store();
    } else if (run.timeline() == source.timeline() && !goesOn(run, CaptureModel::anything)) {
      lateRuns.remove(run);
    } else {
      run.deliver(random.nextInt(PARTITIONS));
    }
  }

  private void failOver() {
    source.failOver();
    slot = null;
    suspendLeader();
  }

  private void withLeader(Consumer<CaptureModel> action) {
    if (leader == null) {
      lead();
    } else if (slot == null || leader.gaveUp() && random.nextInt(4) == 0) {
      suspendLeader();
    } else if (!goesOn(leader, action)) {
      suspendLeader();
    }
  }

  private static boolean goesOn(CaptureModel run, Consumer<CaptureModel> action) {
    try {
      action.accept(run);
      return true;
    } catch (CaptureModel.RunFailedException e) {
      return false;
    }
  }

  private void store() {
    withLeader(
        run ->
            run.store().ifPresent(position -> slot = slot == null ? position : slot.max(position)));
  }

  private void lead() {
    Optional<PipelineState> remembered = broker.remembered();
    int run = remembered.map(PipelineState::run).orElse(0) + 1;
    ServerIdentity server = new ServerIdentity("1", source.timeline(), "source");
    Lsn end = new Lsn(source.end());
    StartDecision decision =
        StartDecision.of(
            remembered,
            SLOT_LOG,
            "routes",
            server,
            SourceTables.NONE,
            Optional.ofNullable(slot)
                .map(confirmed -> new SlotState(false, false, true, confirmed)),
            end);
    try {
      leader =
          switch (decision) {
            case StartDecision.Resume resume ->
                CaptureModel.resume(
                    mutant, random, source, broker, ROUTES, resume.state().inRun(run));
            case StartDecision.NewGeneration fresh -> {
              int number = remembered.map(state -> state.generation().number()).orElse(0) + 1;
              Generation generation = new Generation(number, "history-" + number);
              generations = number;
              histories.put(number, source.states());
              slot = end;
              yield CaptureModel.start(
                  mutant,
                  random,
                  source,
                  broker,
                  ROUTES,
                  new PipelineState(
                      generation,
                      SLOT_LOG,
                      "routes",
                      server,
                      SourceTables.NONE,
                      run,
                      Optional.empty()));
            }
          };
    } catch (CaptureModel.RunFailedException e) {
      leader = null;
    }
  }

  private ProjectorModel projector(int partition) {
    ProjectorModel projector = projectors.get(partition);
    if (projector == null) {
      projector =
          new ProjectorModel(
              mutant, ROUTES, partition, broker.log(partition), replicas.get(partition));
      projectors.set(partition, projector);
    }
    return projector;
  }

  private void poll(int partition) {
    ProjectorModel projector = projector(partition);
    for (int records = random.nextInt(5); records >= 0; records--) {
      projector.accept();
    }
    if (random.nextInt(3) > 0) {
      projector.endOfBatch();
    }
  }

  private void takeOver(int partition) {
    lateProjectors.add(projector(partition));
    projectors.set(partition, null);
    projector(partition);
  }

  private void lateProjector() {
    if (lateProjectors.isEmpty()) {
      return;
    }
    ProjectorModel late = lateProjectors.get(random.nextInt(lateProjectors.size()));
    try {
      late.accept();
      late.endOfBatch();
    } catch (FencedException e) {
      lateProjectors.remove(late);
    }
  }

  /** The replica comes back from a backup of a moment ago. */
  private void restore(int partition) {
    ReplicaModel replica = replicas.get(partition);
    Runnable backup = replica.backup();
    poll(partition);
    backup.run();
    seen.set(partition, replica.watermark());
    projectors.set(partition, null);
  }

  private void readTables(int partition) {
    tables.get(partition).accept();
    if (random.nextInt(3) == 0) {
      tables.get(partition).commit();
    }
  }

  private void check() {
    for (int partition = 0; partition < PARTITIONS; partition++) {
      Watermark now = replicas.get(partition).watermark();
      Watermark before = seen.get(partition);
      if (now.generation() < before.generation()
          || now.generation() == before.generation() && before.lsn().isAfter(now.lsn())) {
        throw new AssertionError("the watermark went back from " + before + " to " + now);
      }
      seen.set(partition, now);
      if (now.lsn().isAfter(Lsn.ZERO)) {
        checkRows(partition, now.generation(), now.lsn());
      }
    }
    ReplicaModel.checkReadAcross(mutant, seen);
  }

  /** Exactly the transactions up to the watermark. */
  private void checkRows(int partition, int generation, Lsn lsn) {
    Map<ReplicaModel.Key, String> expected = new HashMap<>();
    stateAt(generation, lsn)
        .forEach(
            (id, row) -> {
              if (row.partition() == partition) {
                expected.put(new ReplicaModel.Key(row.tenant(), Integer.toString(id)), row.value());
              }
            });
    Map<ReplicaModel.Key, String> actual = new HashMap<>();
    replicas
        .get(partition)
        .rows()
        .forEach(
            (key, row) -> {
              actual.put(key, row.value());
              if (row.lsn().isAfter(lsn)) {
                throw new AssertionError("a row of " + row.lsn() + " is visible at " + lsn);
              }
            });
    if (!actual.equals(expected)) {
      throw new AssertionError(
          "partition "
              + partition
              + " at "
              + lsn
              + " of generation "
              + generation
              + " holds "
              + actual
              + " instead of "
              + expected);
    }
  }

  private Map<Integer, SourceModel.Row> stateAt(int generation, Lsn lsn) {
    return Objects.requireNonNull(histories.get(generation)).floorEntry(lsn.value()).getValue();
  }

  /** No more faults: everything arrives. */
  private void heal() {
    lateRuns.clear();
    lateProjectors.clear();
    if (leader != null && leader.gaveUp()) {
      leader = null;
    }
    source.beacon();
    while (leader == null || slot == null) {
      leader = null;
      lead();
    }
    CaptureModel run = leader;
    boolean more = true;
    while (more) {
      more = run.read();
      run.tick();
      run.flush();
    }
    run.store().ifPresent(position -> slot = position);
    for (int partition = 0; partition < PARTITIONS; partition++) {
      ProjectorModel projector = projector(partition);
      while (projector.accept()) {
        // until the log's end
      }
      projector.endOfBatch();
      while (tables.get(partition).accept()) {
        // until the log's end
      }
    }
  }

  private void checkEnd() {
    Lsn last = new Lsn(source.wal().getLast().lsn());
    for (int partition = 0; partition < PARTITIONS; partition++) {
      Watermark watermark = replicas.get(partition).watermark();
      if (watermark.generation() != generations || !watermark.lsn().reaches(last)) {
        throw new AssertionError(
            "partition "
                + partition
                + " ends at "
                + watermark
                + " instead of "
                + last
                + "; "
                + projector(partition).stopped());
      }
      tables.get(partition).check(partition, source.rows());
    }
  }
}
