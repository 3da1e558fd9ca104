package dev.tidemark.tests.simulation;

import dev.tidemark.projector.replica.PartitionProjector;
import dev.tidemark.topics.Lsn;
import dev.tidemark.topics.log.Change;
import dev.tidemark.topics.log.LogRecord;
import dev.tidemark.topics.route.RouteFile;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The product's projection of one partition, on the consumer's side of its log. */
final class ProjectorModel {

  private final Mutant mutant;
  private final List<LogRecord> log;
  private final ReplicaModel replica;
  private final PartitionProjector projector;
  private int next;

  ProjectorModel(
      Mutant mutant, RouteFile routes, int partition, List<LogRecord> log, ReplicaModel replica) {
    this.mutant = mutant;
    this.log = log;
    this.replica = replica;
    this.projector = new PartitionProjector(routes, partition, replica.takeOver());
    this.next = (int) projector.committedOffset() + 1;
  }

  /** Takes the next record; false when there is none. */
  boolean accept() {
    if (next >= log.size()) {
      return false;
    }
    try {
      projector.accept(next, mutated(log.get(next)));
      next++;
      return true;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  void endOfBatch() {
    try {
      projector.endOfBatch();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Nullable String stopped() {
    return projector.stopped();
  }

  private LogRecord mutated(LogRecord logRecord) {
    if (mutant != Mutant.ROW_WISE_GUARD || !(logRecord instanceof LogRecord.TransactionPart part)) {
      return logRecord;
    }
    Lsn watermark = replica.watermark().lsn();
    List<Change> newer =
        part.changes().stream().filter(change -> change.lsn().isAfter(watermark)).toList();
    return new LogRecord.TransactionPart(
        part.generation(),
        part.run(),
        part.after(),
        part.xid(),
        part.part(),
        part.commitLsn(),
        part.commitTime(),
        newer);
  }
}
