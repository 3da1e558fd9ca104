package dev.tidemark.gateway.sync;

import dev.tidemark.topics.Generation;
import dev.tidemark.topics.Tenants;
import java.util.Optional;

/** The history that a tenant's positions belong to, as last read. Thread-safe. */
public final class CurrentHistory {

  private final WatermarkBoard board;
  private final SourcePosition position;
  private final int partitions;

  public CurrentHistory(WatermarkBoard board, SourcePosition position, int partitions) {
    this.board = board;
    this.position = position;
    this.partitions = partitions;
  }

  /** Empty before the first snapshot begins. */
  public Optional<Generation> of(String tenant) {
    return board
        .state(Tenants.partition(tenant, partitions))
        .filter(state -> !state.history().isEmpty())
        .map(state -> new Generation(state.generation(), state.history()));
  }

  /**
   * The name under which a position that the source has just given can be vouched for.
   *
   * @param before the history from before the write: a newer one would vouch for too much
   * @return empty when the source is known to write another history by now
   */
  public Optional<String> vouching(Optional<Generation> before) {
    return before.filter(position::writes).map(Generation::history);
  }
}
