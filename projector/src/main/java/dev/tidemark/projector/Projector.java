package dev.tidemark.projector;

import dev.tidemark.projector.replica.Backlog;
import dev.tidemark.projector.replica.OffsetAlignment;
import dev.tidemark.projector.replica.ReplicaTopology;
import dev.tidemark.projector.replica.Stops;
import dev.tidemark.projector.tables.TablesTopology;
import java.time.Clock;
import java.util.Optional;

/**
 * Runs the two topologies: the one that writes the replica, and the one that writes the table
 * topics. All methods may be called from any thread.
 *
 * <p>What fails is tried again for as long as the projector is open; {@link #problem()} says what
 * fails.
 */
public final class Projector implements AutoCloseable {

  private final Stops stops = new Stops();
  private final Backlog backlog = new Backlog(Clock.systemUTC());
  private final TopologyRunner replica;
  private final TopologyRunner tables;

  private Projector(ProjectorConfig config) {
    String pipeline = config.routes().pipeline();
    this.replica =
        new TopologyRunner(
            "replica-" + pipeline,
            () -> {
              OffsetAlignment.align(config);
              return ReplicaTopology.client(config, stops, backlog);
            },
            () -> false);
    TurnTaking turns = new TurnTaking();
    this.tables =
        new TopologyRunner(
            "tables-" + pipeline,
            () -> TablesTopology.client(config),
            () -> turns.waits(backlog.catchingUp(), System.nanoTime()));
  }

  /** Starts in the background: Kafka, the log topic and the replica may come up later. */
  public static Projector start(ProjectorConfig config) {
    Projector projector = new Projector(config);
    projector.replica.start();
    projector.tables.start();
    return projector;
  }

  /**
   * Stops projecting. What was polled before may still be committed; what is written after is not.
   */
  public void pause() {
    replica.pause();
    tables.pause();
  }

  /** Goes on after {@link #pause}. */
  public void resume() {
    replica.resume();
    tables.resume();
  }

  /** Whether {@link #pause} is in force. */
  public boolean paused() {
    return replica.paused();
  }

  /** What keeps the projector from working at the moment; empty while all is well. */
  public Optional<String> problem() {
    return replica.problem().or(tables::problem).or(stops::describe);
  }

  /** Stops both topologies and waits until they have stopped, for at most 30 s each. */
  @Override
  public void close() {
    try (tables;
        replica) {
      // closed in the reverse order
    }
  }
}
