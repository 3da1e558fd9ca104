package dev.tidemark.capture.state;

import dev.tidemark.topics.Generation;
import dev.tidemark.topics.Lsn;
import java.util.Optional;

/**
 * What capture remembers of a pipeline between runs.
 *
 * @param generation the current generation
 * @param routes the fingerprint of the routes that its snapshot was taken for
 * @param server the source that its positions belong to
 * @param position up to where everything is in the log; empty until the generation's snapshot is in
 *     it
 */
public record PipelineState(
    Generation generation, String routes, ServerIdentity server, Optional<Lsn> position) {

  /** The same generation, further on. */
  public PipelineState at(Lsn newPosition) {
    return new PipelineState(generation, routes, server, Optional.of(newPosition));
  }
}
