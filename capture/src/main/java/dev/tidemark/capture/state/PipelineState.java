package dev.tidemark.capture.state;

import dev.tidemark.topics.Generation;
import dev.tidemark.topics.Lsn;
import dev.tidemark.topics.ServerIdentity;
import java.util.Collection;
import java.util.Optional;

/**
 * What capture remembers of a pipeline between runs.
 *
 * @param generation the current generation
 * @param log the id of the log topic, which another topic of the same name does not have
 * @param routes the fingerprint of the routes that its snapshot was taken for
 * @param server the source that its positions belong to
 * @param tables what its snapshot was taken of
 * @param run the number of the run of capture that wrote this, which is greater than that of any
 *     run before
 * @param position up to where everything is in the log; empty until the generation's snapshot is in
 *     it
 */
public record PipelineState(
    Generation generation,
    String log,
    String routes,
    ServerIdentity server,
    SourceTables tables,
    int run,
    Optional<Lsn> position) {

  /** The same, remembered by another run. */
  public PipelineState inRun(int newRun) {
    return new PipelineState(generation, log, routes, server, tables, newRun, position);
  }

  /**
   * What the next run goes on from, of what earlier runs remembered: the state that is furthest on,
   * with the number of the latest run. Empty when there is none.
   */
  public static Optional<PipelineState> furthest(Collection<PipelineState> runs) {
    int latest = runs.stream().mapToInt(PipelineState::run).max().orElse(0);
    return runs.stream()
        .reduce((one, other) -> other.isFurtherThan(one) ? other : one)
        .map(state -> state.inRun(latest));
  }

  /**
   * Whether this is further on than the other: in a later generation, or at a later position of the
   * same. Every position of a generation is good to go on from, so that the furthest one counts, in
   * whatever order two runs wrote them.
   */
  private boolean isFurtherThan(PipelineState other) {
    if (generation.number() != other.generation.number()) {
      return generation.number() > other.generation.number();
    }
    return position.orElse(Lsn.ZERO).isAfter(other.position.orElse(Lsn.ZERO));
  }

  /** The same generation, further on. */
  public PipelineState at(Lsn newPosition) {
    return new PipelineState(
        generation, log, routes, server, tables, run, Optional.of(newPosition));
  }

  /** The same with tables that changed without harm to the rows that were read. */
  public PipelineState of(SourceTables newTables) {
    return new PipelineState(generation, log, routes, server, newTables, run, position);
  }
}
