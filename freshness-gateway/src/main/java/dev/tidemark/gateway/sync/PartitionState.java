package dev.tidemark.gateway.sync;

import dev.tidemark.topics.Lsn;
import org.jspecify.annotations.Nullable;

/**
 * One row of the watermark table.
 *
 * @param partition 0 or more
 * @param generation 0 until the first snapshot begins
 * @param history what clients see as {@code X-Tx-Generation}; empty in generation 0
 * @param lsn the watermark
 * @param events changes applied so far
 * @param lagMs from commit to visible, of the last applied transaction; null before the first
 * @param commitTime of the last applied transaction, as PostgreSQL's text; null before the first
 * @param updatedAt when the watermark last moved, as PostgreSQL's text
 * @param reporting whether the projector has reported within {@link Watermarks#REPORTING_SECONDS}
 * @param stopped why the partition is stopped; null when it is not
 * @param stoppedKey the row that it is stopped at, for operators only; null when no single row is
 *     to blame
 * @param quarantined how many rows are set aside
 * @param snapshotRows how many rows of the generation's snapshot are applied
 */
public record PartitionState(
    int partition,
    int generation,
    String history,
    Lsn lsn,
    long events,
    @Nullable Long lagMs,
    @Nullable String commitTime,
    String updatedAt,
    boolean reporting,
    @Nullable String stopped,
    @Nullable String stoppedKey,
    long quarantined,
    long snapshotRows) {

  /** Why the partition is stopped, for operators; null when it is not. */
  public @Nullable String stop() {
    return stoppedKey == null ? stopped : stopped + " (row " + stoppedKey + ")";
  }
}
