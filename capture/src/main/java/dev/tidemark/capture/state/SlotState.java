package dev.tidemark.capture.state;

import dev.tidemark.topics.Lsn;

/**
 * A row of {@code pg_replication_slots}.
 *
 * @param active whether a connection reads it
 * @param lost whether WAL that it needs is gone
 * @param usable whether it is a logical slot of this database for pgoutput
 * @param confirmed {@code confirmed_flush_lsn}: what was committed before it is not sent again
 */
public record SlotState(boolean active, boolean lost, boolean usable, Lsn confirmed) {}
