package dev.tidemark.capture.state;

import dev.tidemark.topics.Generation;
import dev.tidemark.topics.Lsn;
import java.util.Optional;

/**
 * What capture remembers of a pipeline between runs.
 *
 * @param generation the current generation
 * @param log the id of the log topic, which another topic of the same name does not have
 * @param routes the fingerprint of the routes that its snapshot was taken for
 * @param server the source that its positions belong to
 * @param tables what its snapshot was taken of
 * @param position up to where everything is in the log; empty until the generation's snapshot is in
 *     it
 */
public record PipelineState(
    Generation generation,
    String log,
    String routes,
    ServerIdentity server,
    SourceTables tables,
    Optional<Lsn> position) {

  /** The same generation, further on. */
  public PipelineState at(Lsn newPosition) {
    return new PipelineState(generation, log, routes, server, tables, Optional.of(newPosition));
  }

  /** The same with tables that changed without harm to the rows that were read. */
  public PipelineState of(SourceTables newTables) {
    return new PipelineState(generation, log, routes, server, newTables, position);
  }
}
