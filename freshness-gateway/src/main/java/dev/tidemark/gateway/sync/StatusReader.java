package dev.tidemark.gateway.sync;

import dev.tidemark.gateway.db.Database;
import dev.tidemark.gateway.db.SqlFailures;
import java.sql.SQLException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Puts the status together from both databases. Thread-safe. */
public final class StatusReader {

  private static final Logger LOG = LoggerFactory.getLogger(StatusReader.class);

  private final Database source;
  private final Database replica;
  private final Watermarks watermarks;
  private final SourcePosition position;
  private final String pipeline;
  private final String slot;

  public StatusReader(
      Database source,
      Database replica,
      Watermarks watermarks,
      SourcePosition position,
      String pipeline,
      String slot) {
    this.source = source;
    this.replica = replica;
    this.watermarks = watermarks;
    this.position = position;
    this.pipeline = pipeline;
    this.slot = slot;
  }

  /** The status now; without the source's part when that can't be asked. */
  public SyncStatus read() {
    try {
      var partitions = watermarks.read();
      try {
        return new SyncStatus(
            partitions, Optional.of(position.now()), SlotState.read(source, pipeline, slot));
      } catch (SQLException e) {
        LOG.atDebug()
            .addKeyValue("sqlState", SqlFailures.state(e))
            .log("the status has no part of the source");
        return new SyncStatus(partitions, Optional.empty(), Optional.empty());
      }
    } catch (SQLException e) {
      throw SqlFailures.answer(replica, e);
    }
  }
}
