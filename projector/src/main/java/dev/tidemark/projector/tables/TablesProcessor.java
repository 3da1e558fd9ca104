package dev.tidemark.projector.tables;

import dev.tidemark.projector.tables.Envelope.Origin;
import dev.tidemark.projector.tables.TableEvents.TableEvent;
import dev.tidemark.topics.Lsn;
import dev.tidemark.topics.log.Change;
import dev.tidemark.topics.log.LogCodec;
import dev.tidemark.topics.log.LogOrder;
import dev.tidemark.topics.log.LogOrder.Step;
import dev.tidemark.topics.log.LogRecord;
import dev.tidemark.topics.route.RouteFile;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * One task of the tables topology. Its stores live and commit with its output, so that a replay,
 * told by its commit LSN, writes nothing, whatever crashed. The parts of a long transaction wait in
 * a store until the last has come, which holds the commit LSN that each of the records carries.
 */
final class TablesProcessor implements Processor<byte[], byte[], byte[], byte[]> {

  static final String POSITION_STORE = "position";
  static final String PARTS_STORE = "parts";
  static final String COMMIT_LSN_HEADER = "tidemark.commit_lsn";
  static final String GENERATION_HEADER = "tidemark.generation";

  private static final String POSITION_KEY = "position";

  private final RouteFile routes;
  private @Nullable ProcessorContext<byte[], byte[]> context;
  private @Nullable KeyValueStore<String, byte[]> positions;
  private @Nullable KeyValueStore<Integer, byte[]> parts;
  private @Nullable TableEvents events;
  private @Nullable LogOrder order;

  TablesProcessor(RouteFile routes) {
    this.routes = routes;
  }

  /** What is in the topics: everything up to {@code lsn} of the generation. */
  private record Position(int generation, Lsn lsn) {

    static Position decode(byte @Nullable [] bytes) {
      if (bytes == null) {
        return new Position(0, Lsn.ZERO);
      }
      ByteBuffer buffer = ByteBuffer.wrap(bytes);
      return new Position(buffer.getInt(), new Lsn(buffer.getLong()));
    }

    byte[] encode() {
      return ByteBuffer.allocate(12).putInt(generation).putLong(lsn.value()).array();
    }
  }

  @Override
  public void init(ProcessorContext<byte[], byte[]> processorContext) {
    context = processorContext;
    positions = processorContext.getStateStore(POSITION_STORE);
    parts = processorContext.getStateStore(PARTS_STORE);
    events = new TableEvents(routes, processorContext.taskId().partition());
    Position at = Position.decode(initialised(positions).get(POSITION_KEY));
    order = new LogOrder(at.generation(), at.lsn());
    try (KeyValueIterator<Integer, byte[]> kept = initialised(parts).all()) {
      while (kept.hasNext()) {
        if (LogCodec.decode(kept.next().value) instanceof LogRecord.TransactionPart part) {
          order.resume(part);
        }
      }
    }
  }

  @Override
  public void process(Record<byte[], byte[]> message) {
    LogRecord logRecord = LogCodec.decode(message.value());
    LogOrder current = initialised(order);
    Step step = current.next(logRecord);
    if (!current.open() && step != Step.LAST_PART || step == Step.FIRST_PART) {
      clearParts();
    }
    switch (step) {
      case START, SNAPSHOT_END -> store();
      case SNAPSHOT_ROWS -> writeSnapshot((LogRecord.SnapshotRows) logRecord, message.timestamp());
      case TRANSACTION, LAST_PART ->
          writeTransaction((LogRecord.TransactionPart) logRecord, message.timestamp());
      case FIRST_PART, PART ->
          initialised(parts).put(((LogRecord.TransactionPart) logRecord).part(), message.value());
      // A position without rows is not worth a write to the store: after a restart the one before
      // it serves as well.
      case PROGRESS, SKIP, AHEAD -> {}
      case UNSTARTED ->
          throw new IllegalStateException(
              "partition "
                  + initialised(context).taskId().partition()
                  + " of the log lacks the start of generation "
                  + logRecord.generation()
                  + ": start capture over, which reads everything anew");
    }
  }

  private void writeSnapshot(LogRecord.SnapshotRows snapshot, long timestamp) {
    Instant time = Instant.ofEpochMilli(timestamp);
    Origin origin = new Origin(routes.pipeline(), null, snapshot.lsn(), time);
    write(snapshot.changes(), origin, snapshot.generation(), timestamp);
  }

  private void writeTransaction(LogRecord.TransactionPart last, long timestamp) {
    Lsn commitLsn = last.commitLsn().orElseThrow();
    Origin origin = new Origin(routes.pipeline(), last.xid(), commitLsn, last.commitTime());
    try (KeyValueIterator<Integer, byte[]> earlier = initialised(parts).all()) {
      while (earlier.hasNext()) {
        if (LogCodec.decode(earlier.next().value) instanceof LogRecord.TransactionPart held) {
          write(held.changes(), origin, last.generation(), timestamp);
        }
      }
    }
    write(last.changes(), origin, last.generation(), timestamp);
    if (last.part() > 0) {
      clearParts();
    }
    store();
  }

  private void write(List<Change> changes, Origin origin, int generation, long timestamp) {
    for (Change change : changes) {
      for (TableEvent event : initialised(events).of(change, origin)) {
        RecordHeaders headers = new RecordHeaders();
        headers.add(
            COMMIT_LSN_HEADER, event.commitLsn().toString().getBytes(StandardCharsets.UTF_8));
        headers.add(
            GENERATION_HEADER, Integer.toString(generation).getBytes(StandardCharsets.UTF_8));
        initialised(context)
            .forward(
                new Record<>(event.key(), event.value(), timestamp, headers),
                TablesTopology.sink(event.table()));
      }
    }
  }

  private void store() {
    LogOrder current = initialised(order);
    initialised(positions)
        .put(POSITION_KEY, new Position(current.generation(), current.lsn()).encode());
  }

  private void clearParts() {
    KeyValueStore<Integer, byte[]> store = initialised(parts);
    try (KeyValueIterator<Integer, byte[]> all = store.all()) {
      while (all.hasNext()) {
        store.delete(all.next().key);
      }
    }
  }

  private static <T> T initialised(@Nullable T value) {
    if (value == null) {
      throw new IllegalStateException("the processor is not initialised");
    }
    return value;
  }
}
