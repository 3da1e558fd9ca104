package dev.tidemark.projector.replica;

import dev.tidemark.projector.ProjectorConfig;
import dev.tidemark.topics.log.LogCodec;
import dev.tidemark.topics.log.LogFormatException;
import dev.tidemark.topics.log.LogRecord;
import java.sql.SQLException;
import java.time.Duration;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One task of the replica topology: hands the records of its partition to a {@link
 * PartitionProjector}.
 */
final class ReplicaProcessor implements Processor<byte[], byte[], Void, Void> {

  private static final Logger LOG = LoggerFactory.getLogger(ReplicaProcessor.class);

  /**
   * How often a partition says that it is alive. The gateway believes a partition for twice as long
   * and a little more; and each report is some 300 bytes of the replica's log.
   */
  private static final Duration REPORT = Duration.ofSeconds(30);

  private final ProjectorConfig config;
  private final LogConsumers consumers;
  private final Stops stops;
  private final Backlog backlog;
  private @Nullable ProcessorContext<Void, Void> context;
  private @Nullable ReplicaConnection replica;
  private @Nullable PartitionProjector projector;
  private int partition;

  ReplicaProcessor(ProjectorConfig config, LogConsumers consumers, Stops stops, Backlog backlog) {
    this.config = config;
    this.consumers = consumers;
    this.stops = stops;
    this.backlog = backlog;
  }

  @Override
  public void init(ProcessorContext<Void, Void> processorContext) {
    context = processorContext;
    partition = processorContext.taskId().partition();
    try {
      ReplicaConnection opened = ReplicaConnection.open(config, partition);
      replica = opened;
      projector = new PartitionProjector(config.routes(), partition, opened);
      consumers.projected(partition, opened.watermark().logOffset());
      stops.clear(partition);
    } catch (SQLException e) {
      throw new ReplicaUnavailableException(partition, e);
    }
    processorContext.schedule(REPORT, PunctuationType.WALL_CLOCK_TIME, timestamp -> report());
  }

  @Override
  public void process(Record<byte[], byte[]> message) {
    RecordMetadata metadata = context().recordMetadata().orElseThrow();
    long offset = metadata.offset();
    PartitionProjector current = projector();
    try {
      LogRecord logRecord = decode(message.value(), current, offset);
      if (logRecord != null) {
        backlog.came(logRecord);
        current.accept(offset, logRecord);
      }
      if (consumers.lastPolled(partition, offset)) {
        current.endOfBatch();
      }
      consumers.projected(partition, current.committedOffset());
      stops.set(partition, current.stopped());
    } catch (SQLException e) {
      throw new ReplicaUnavailableException(partition, e);
    }
  }

  private static @Nullable LogRecord decode(byte[] value, PartitionProjector current, long offset)
      throws SQLException {
    try {
      return LogCodec.decode(value);
    } catch (LogFormatException e) {
      current.unreadable(offset, e);
      return null;
    }
  }

  private void report() {
    try {
      projector().endOfBatch();
      projector().report();
    } catch (SQLException e) {
      throw new ReplicaUnavailableException(partition, e);
    }
  }

  @Override
  public void close() {
    ReplicaConnection opened = replica;
    replica = null;
    projector = null;
    if (opened != null) {
      try {
        opened.close();
      } catch (SQLException e) {
        LOG.debug("the connection of partition {} did not close cleanly", partition, e);
      }
    }
  }

  private ProcessorContext<Void, Void> context() {
    if (context == null) {
      throw new IllegalStateException("the processor is not initialised");
    }
    return context;
  }

  private PartitionProjector projector() {
    if (projector == null) {
      throw new IllegalStateException("the processor is not initialised");
    }
    return projector;
  }
}
