package dev.tidemark.tests.simulation;

import dev.tidemark.topics.Lsn;
import dev.tidemark.topics.log.Change;
import dev.tidemark.topics.log.LogOrder;
import dev.tidemark.topics.log.LogOrder.Step;
import dev.tidemark.topics.log.LogRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A reader of one partition as the table topics' is: what it has written, its position and the
 * parts that it keeps are committed together with its offset.
 */
final class TablesModel {

  private record Committed(
      int offset,
      int generation,
      Lsn lsn,
      List<LogRecord.TransactionPart> parts,
      List<Change> written) {}

  private final List<LogRecord> log;
  private Committed committed = new Committed(0, 0, Lsn.ZERO, List.of(), List.of());
  private LogOrder order = new LogOrder(0, Lsn.ZERO);
  private int stored;
  private Lsn storedLsn = Lsn.ZERO;
  private int offset;
  private List<LogRecord.TransactionPart> parts = new ArrayList<>();

  /** The changes of the newest generation, in order. */
  private List<Change> written = new ArrayList<>();

  TablesModel(List<LogRecord> log) {
    this.log = log;
  }

  boolean accept() {
    if (offset >= log.size()) {
      return false;
    }
    LogRecord logRecord = log.get(offset++);
    Step step = order.next(logRecord);
    if (!order.open() && step != Step.LAST_PART || step == Step.FIRST_PART) {
      parts.clear();
    }
    switch (step) {
      case START -> {
        written.clear();
        store();
      }
      case SNAPSHOT_ROWS -> written.addAll(((LogRecord.SnapshotRows) logRecord).changes());
      case FIRST_PART, PART -> parts.add((LogRecord.TransactionPart) logRecord);
      case TRANSACTION, LAST_PART -> {
        parts.forEach(part -> written.addAll(part.changes()));
        written.addAll(((LogRecord.TransactionPart) logRecord).changes());
        parts.clear();
        store();
      }
      case SNAPSHOT_END -> store();
      case PROGRESS, SKIP, AHEAD, UNSTARTED -> {}
    }
    return true;
  }

  private void store() {
    stored = order.generation();
    storedLsn = order.lsn();
  }

  void commit() {
    committed = new Committed(offset, stored, storedLsn, List.copyOf(parts), List.copyOf(written));
  }

  void crash() {
    offset = committed.offset();
    stored = committed.generation();
    storedLsn = committed.lsn();
    order = new LogOrder(stored, storedLsn);
    parts = new ArrayList<>(committed.parts());
    parts.forEach(order::resume);
    written = new ArrayList<>(committed.written());
  }

  /** What the table topics' reader wrote is the snapshot and then every change once, in order. */
  void check(int partition, Map<Integer, SourceModel.Row> source) {
    Map<String, String> rows = new HashMap<>();
    for (Change change : written) {
      if (change.operation() == Change.Operation.TRUNCATE) {
        rows.clear();
      }
      if (change.before() != null) {
        rows.remove(change.before().text(0));
      }
      if (change.after() != null) {
        rows.put(change.after().text(0), change.after().text(1) + change.after().text(2));
      }
    }
    source.forEach(
        (id, row) -> {
          if (row.partition() == partition
              && !(row.tenant() + row.value()).equals(rows.get(Integer.toString(id)))) {
            throw new AssertionError(
                "the table topic of partition " + partition + " has " + rows + " without " + row);
          }
        });
    long distinct =
        written.stream()
            .filter(change -> change.operation() != Change.Operation.SNAPSHOT)
            .map(change -> change.lsn() + "/" + change.order())
            .distinct()
            .count();
    long changes =
        written.stream().filter(change -> change.operation() != Change.Operation.SNAPSHOT).count();
    if (distinct != changes) {
      throw new AssertionError("the table topic has changes twice: " + written);
    }
  }
}
