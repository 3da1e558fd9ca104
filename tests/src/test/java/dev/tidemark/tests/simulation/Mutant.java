package dev.tidemark.tests.simulation;

/** A fault that is built into the world on purpose, to see that its checks can fail. */
enum Mutant {
  /** The world as it should be. */
  NONE,
  /** Capture tells positions of rows, not of commits. */
  WATERMARK_FROM_ROW_POSITIONS,
  /** The projector leaves out single rows at or below the watermark. */
  ROW_WISE_GUARD,
  /** The source offset is stored before the log has everything up to it. */
  OFFSET_BEFORE_ACKNOWLEDGEMENT,
  /** The watermark is committed before its rows. */
  WATERMARK_APART_FROM_ROWS,
  /** A projector that lost its partition commits all the same. */
  UNFENCED_PROJECTOR,
  /** Records do not name the transaction before them. */
  UNCHAINED_RECORDS,
  /** All runs of capture have the same number. */
  UNNUMBERED_RUNS,
  /** The next run goes on from what was written last, not from what is furthest on. */
  LAST_WRITTEN_OFFSET,
  /** The end of a snapshot is told before its rows are in the log. */
  SNAPSHOT_END_UNFLUSHED,
  /** Rows that the newest snapshot did not bring stay. */
  GHOST_ROWS,
  /** A read of several partitions goes by the furthest watermark. */
  MAXIMUM_INSTEAD_OF_MINIMUM
}
