package dev.tidemark.tests.prove.faults;

import dev.tidemark.tests.prove.load.Context;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;

/**
 * Injects faults, each on a thread of its own that also heals it; those of one part of the system
 * after each other. Its own methods are called by one thread.
 */
public final class Faults {

  private final Context context;
  private final ProcessFaults processes;
  private final ServerFaults servers;
  private final DatabaseFaults databases;
  private final List<Thread> running = new ArrayList<>();
  private final List<ReentrantLock> locks =
      Stream.of(Part.values()).map(part -> new ReentrantLock()).toList();
  private volatile String last = "none";

  private enum Part {
    CAPTURE,
    PROJECTOR,
    BROKER,
    SOURCE,
    REPLICA,
    LOAD
  }

  /** Its choices follow from the schedule's seeds. */
  public Faults(Context context, long seed) {
    this.context = context;
    this.processes = new ProcessFaults(context);
    this.servers = new ServerFaults(context);
    this.databases = new DatabaseFaults(context, seed);
  }

  /** Begins a fault. */
  public void inject(Schedule.Planned planned) {
    running.add(Thread.ofPlatform().name("prove-fault").daemon().start(() -> run(planned)));
  }

  private void run(Schedule.Planned planned) {
    FaultKind kind = planned.kind();
    ReentrantLock lock = locks.get(part(kind).ordinal());
    lock.lock();
    try {
      context.journal().line("fault begins: " + kind.text());
      last = kind.text();
      inject(kind, new Random(planned.seed()));
      context.figures().fault(kind.text());
      context.journal().line("fault healed: " + kind.text());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (java.sql.SQLException e) {
      // Another fault has taken away what this one needs; it is not counted.
      context.journal().line("fault missed: " + kind.text() + ": " + e.getMessage());
    } catch (Exception e) {
      context
          .journal()
          .violation("a fault could not be healed: " + kind.text() + ": " + e, List.of());
    } finally {
      lock.unlock();
    }
  }

  private void inject(FaultKind kind, Random random) throws Exception {
    switch (kind) {
      case KILL_CAPTURE -> processes.kill(processes.capture(random), random);
      case KILL_PROJECTOR -> processes.kill(processes.projector(random), random);
      case PAUSE_CAPTURE -> processes.pause(processes.capture(random), random);
      case PAUSE_PROJECTOR -> processes.pause(processes.projector(random), random);
      case REBALANCE -> processes.restart(processes.projector(random), random);
      case RESTART_BROKER -> servers.restartBroker(random);
      case RESTART_SOURCE -> servers.restart(context.tidemark().source(), random);
      case CRASH_SOURCE -> servers.crashSource(random);
      case RESTART_REPLICA -> servers.restart(context.tidemark().replica(), random);
      case CRASH_REPLICA -> servers.crashReplica(random);
      case DROP_WALSENDER ->
          databases.drop(context.tidemark().source(), "backend_type = 'walsender'");
      case DROP_PROJECTOR ->
          databases.drop(context.tidemark().replica(), "application_name = 'tidemark-projector'");
      case DROP_GATEWAY_REPLICA ->
          databases.drop(context.tidemark().replica(), "application_name = 'tidemark-gateway'");
      case DROP_GATEWAY_SOURCE ->
          databases.drop(context.tidemark().source(), "application_name = 'tidemark-gateway'");
      case LOCK_WATERMARK -> databases.lockWatermark(random);
      case LOCK_TABLE -> databases.lockTable(random);
      case SLOW_COMMITS -> databases.slowCommits(random);
      case SWITCH_ASYNCHRONOUS -> databases.switchAsynchronous();
      case LONG_TRANSACTION -> databases.longTransaction();
      case BIG_TRANSACTION -> databases.bigTransaction();
      case ADD_COLUMN -> databases.addColumn(random);
      case DROP_COLUMN -> databases.dropColumn(random);
      case CHANGE_UNROUTED -> databases.changeUnrouted(random);
    }
  }

  private static Part part(FaultKind kind) {
    return switch (kind) {
      case KILL_CAPTURE, PAUSE_CAPTURE -> Part.CAPTURE;
      case KILL_PROJECTOR, PAUSE_PROJECTOR, REBALANCE -> Part.PROJECTOR;
      case RESTART_BROKER -> Part.BROKER;
      case RESTART_SOURCE, CRASH_SOURCE -> Part.SOURCE;
      case RESTART_REPLICA, CRASH_REPLICA -> Part.REPLICA;
      default -> Part.LOAD;
    };
  }

  /** The kind of the fault that began last, for people. */
  public String last() {
    return last;
  }

  /** Waits until all faults are healed. */
  public void heal() throws InterruptedException {
    for (Thread thread : running) {
      thread.join();
    }
    databases.close();
  }
}
