package dev.tidemark.capture;

import dev.tidemark.capture.assemble.Acknowledgements;
import dev.tidemark.capture.assemble.LogSink;
import dev.tidemark.capture.assemble.UnusableChangeException;
import dev.tidemark.topics.Lsn;
import dev.tidemark.topics.TopicNames;
import dev.tidemark.topics.log.Change;
import dev.tidemark.topics.log.LogCodec;
import dev.tidemark.topics.log.LogRecord;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Appends to the log topic without waiting, and knows up to which position everything is
 * acknowledged.
 *
 * <p>The producer is idempotent and keeps the order of each partition. {@link #append}, {@link
 * #completed} and {@link #storable} are called under one lock of the caller's; acknowledgements
 * arrive on the producer's own thread. A failed append is final: the next call throws, and capture
 * starts over from the stored position.
 */
final class LogWriter implements LogSink, AutoCloseable {

  /** More than Kafka adds to a record's value. */
  private static final int OVERHEAD = 1024;

  private final String topic;
  private final KafkaProducer<byte[], byte[]> producer;
  private final AtomicReference<Exception> failure = new AtomicReference<>();
  private final Acknowledgements acknowledgements = new Acknowledgements();

  LogWriter(TopicNames names, String bootstrap) {
    this.topic = names.log();
    this.producer =
        new KafkaProducer<>(
            Map.of(
                "bootstrap.servers",
                bootstrap,
                "client.id",
                names.captureGroup() + "-log",
                "acks",
                "all",
                "enable.idempotence",
                true,
                "linger.ms",
                0,
                "compression.type",
                "lz4",
                "batch.size",
                256 << 10,
                "max.request.size",
                TopicNames.MAX_RECORD_BYTES,
                "buffer.memory",
                (long) TopicNames.MAX_RECORD_BYTES),
            new ByteArraySerializer(),
            new ByteArraySerializer());
  }

  @Override
  public void append(int partition, LogRecord logRecord) {
    throwIfFailed();
    byte[] bytes = LogCodec.encode(logRecord);
    requireSize(logRecord, bytes.length);
    Acknowledgements.Appended appended = acknowledgements.append();
    producer.send(
        new ProducerRecord<>(topic, partition, null, bytes),
        (metadata, exception) -> {
          if (exception == null) {
            appended.acknowledged();
          } else {
            failure.compareAndSet(null, exception);
          }
        });
  }

  private void requireSize(LogRecord logRecord, int size) {
    if (size <= TopicNames.MAX_RECORD_BYTES - OVERHEAD) {
      return;
    }
    List<Change> changes =
        switch (logRecord) {
          case LogRecord.TransactionPart part -> part.changes();
          case LogRecord.SnapshotRows rows -> rows.changes();
          default -> List.of();
        };
    throw new UnusableChangeException(
        "a change of %s takes %d bytes in a record, and at most %d are allowed (old and new row together). Make the row smaller or delete it, then drop the replication slot: capture then reads all rows again, as a new generation"
            .formatted(
                changes.stream()
                    .max(Comparator.comparingInt(Change::weight))
                    .map(change -> change.relation().table().toString())
                    .orElse("no table"),
                size,
                TopicNames.MAX_RECORD_BYTES - OVERHEAD));
  }

  @Override
  public void completed(Lsn position) {
    acknowledgements.completed(position);
  }

  /**
   * The newest position up to which everything is acknowledged; empty when none became so since the
   * last call.
   */
  Optional<Lsn> storable() {
    throwIfFailed();
    return acknowledgements.storable();
  }

  @Override
  public void flush() {
    producer.flush();
    throwIfFailed();
  }

  private void throwIfFailed() {
    Exception cause = failure.get();
    if (cause != null) {
      throw new IllegalStateException("Kafka did not take a record of " + topic, cause);
    }
  }

  @Override
  public void close() {
    producer.close(Duration.ofSeconds(5));
  }
}
