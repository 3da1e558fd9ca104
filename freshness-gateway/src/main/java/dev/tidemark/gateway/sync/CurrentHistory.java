package dev.tidemark.gateway.sync;

import dev.tidemark.topics.Tenants;
import java.util.Optional;

/** The name of the history that a tenant's positions belong to, as last read. Thread-safe. */
public final class CurrentHistory {

  private final WatermarkBoard board;
  private final int partitions;

  public CurrentHistory(WatermarkBoard board, int partitions) {
    this.board = board;
    this.partitions = partitions;
  }

  /** Empty before the first snapshot begins. */
  public Optional<String> of(String tenant) {
    int partition = Tenants.partition(tenant, partitions);
    return board.picture().states().stream()
        .filter(state -> state.partition() == partition)
        .map(PartitionState::history)
        .filter(history -> !history.isEmpty())
        .findFirst();
  }
}
