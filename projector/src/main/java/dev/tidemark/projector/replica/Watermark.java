package dev.tidemark.projector.replica;

import dev.tidemark.topics.Lsn;

/**
 * A partition's row of {@code tidemark_watermark}, as far as the projector decides by it.
 *
 * @param generation the generation that {@code lsn} belongs to; 0 before the first
 * @param history its name; empty before the first
 * @param lsn every source transaction committed at or before it is in the replica tables; {@link
 *     Lsn#ZERO} until the generation's snapshot is complete
 * @param logOffset the last record of the log that is in the replica tables; -1 for none
 * @param snapshotRows how many rows of the generation's snapshot are in the replica tables
 */
public record Watermark(
    int generation, String history, Lsn lsn, long logOffset, long snapshotRows) {

  Watermark started(int newGeneration, String newHistory) {
    return new Watermark(newGeneration, newHistory, Lsn.ZERO, logOffset, 0);
  }

  Watermark at(Lsn newLsn) {
    return new Watermark(generation, history, lsn.max(newLsn), logOffset, snapshotRows);
  }

  Watermark afterOffset(long newLogOffset) {
    return new Watermark(generation, history, lsn, newLogOffset, snapshotRows);
  }

  Watermark withSnapshotRows(int more) {
    return new Watermark(generation, history, lsn, logOffset, snapshotRows + more);
  }
}
