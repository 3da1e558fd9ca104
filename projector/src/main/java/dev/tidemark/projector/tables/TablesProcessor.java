package dev.tidemark.projector.tables;

import dev.tidemark.projector.tables.Envelope.Origin;
import dev.tidemark.projector.tables.TableEvents.TableEvent;
import dev.tidemark.topics.Lsn;
import dev.tidemark.topics.log.Change;
import dev.tidemark.topics.log.LogCodec;
import dev.tidemark.topics.log.LogRecord;
import dev.tidemark.topics.route.RouteFile;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.KeyValue;
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
  }

  @Override
  public void process(Record<byte[], byte[]> message) {
    LogRecord logRecord = LogCodec.decode(message.value());
    Position at = Position.decode(initialised(positions).get(POSITION_KEY));
    if (logRecord.generation() < at.generation()) {
      return;
    }
    switch (logRecord) {
      case LogRecord.GenerationStart start -> {
        if (start.generation() > at.generation()) {
          clearParts();
          store(new Position(start.generation(), Lsn.ZERO));
        }
      }
      case LogRecord.SnapshotRows snapshot ->
          write(
              snapshot.changes(),
              new Origin(
                  routes.pipeline(),
                  null,
                  snapshot.lsn(),
                  Instant.ofEpochMilli(message.timestamp())),
              snapshot.generation(),
              message.timestamp());
      case LogRecord.SnapshotComplete complete ->
          store(at.generation(), at.lsn().max(complete.lsn()));
      case LogRecord.TransactionPart part -> accept(part, message, at);
      case LogRecord.Progress progress -> {}
    }
  }

  private void accept(LogRecord.TransactionPart part, Record<byte[], byte[]> message, Position at) {
    if (part.part() == 0) {
      clearParts();
    }
    if (part.commitLsn().isEmpty()) {
      initialised(parts).put(part.part(), message.value());
      return;
    }
    Lsn commitLsn = part.commitLsn().get();
    if (!at.lsn().reaches(commitLsn)) {
      Origin origin = new Origin(routes.pipeline(), part.xid(), commitLsn, part.commitTime());
      try (KeyValueIterator<Integer, byte[]> earlier = initialised(parts).all()) {
        while (earlier.hasNext()) {
          KeyValue<Integer, byte[]> entry = earlier.next();
          if (LogCodec.decode(entry.value) instanceof LogRecord.TransactionPart held) {
            write(held.changes(), origin, part.generation(), message.timestamp());
          }
        }
      }
      write(part.changes(), origin, part.generation(), message.timestamp());
      store(part.generation(), commitLsn);
    }
    if (part.part() > 0) {
      clearParts();
    }
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

  private void store(int generation, Lsn lsn) {
    store(new Position(generation, lsn));
  }

  private void store(Position position) {
    initialised(positions).put(POSITION_KEY, position.encode());
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
