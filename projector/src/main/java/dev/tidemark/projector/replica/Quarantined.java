package dev.tidemark.projector.replica;

import dev.tidemark.projector.row.RowKey;
import dev.tidemark.topics.Lsn;

/**
 * A change that could not be written.
 *
 * @param key of the row as the change leaves it
 * @param reason what was wrong; holds nothing of the row
 * @param operation Debezium's letter: r, c or u
 * @param change Debezium's envelope as JSON
 * @param lsn the commit LSN, or {@link Replica#PENDING}
 * @param offset of the change's record in the log
 */
public record Quarantined(
    RowKey key,
    String reason,
    String operation,
    String change,
    Lsn lsn,
    int generation,
    long offset) {}
