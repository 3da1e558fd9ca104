package dev.tidemark.projector.replica;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetCommitCallback;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.KafkaClientSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The clients of the replica topology. Its consumers do two things that Kafka Streams does not:
 *
 * <ul>
 *   <li>They remember the last record that a poll brought for each partition, so that the partition
 *       can commit what one poll brought together, without waiting for a clock.
 *   <li>They never commit an offset to the group beyond the one that is committed in the replica,
 *       whatever Streams has handed to the processor, so that a partition is always taken up again
 *       where its table ends.
 * </ul>
 *
 * <p>Thread-safe.
 */
final class LogConsumers implements KafkaClientSupplier {

  private final Map<Integer, Long> polled = new ConcurrentHashMap<>();
  private final Map<Integer, Long> projected = new ConcurrentHashMap<>();

  /** Whether the record is the last one of its partition that was polled. */
  boolean lastPolled(int partition, long offset) {
    return polled.getOrDefault(partition, Long.MAX_VALUE) <= offset;
  }

  /** Says that the replica holds the partition up to the offset. */
  void projected(int partition, long offset) {
    projected.put(partition, offset);
  }

  @Override
  public Consumer<byte[], byte[]> getConsumer(Map<String, Object> config) {
    return new LogConsumer(config);
  }

  @Override
  public Consumer<byte[], byte[]> getRestoreConsumer(Map<String, Object> config) {
    return new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  @Override
  public Consumer<byte[], byte[]> getGlobalConsumer(Map<String, Object> config) {
    return new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  @Override
  public Producer<byte[], byte[]> getProducer(Map<String, Object> config) {
    return new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
  }

  @Override
  public Admin getAdmin(Map<String, Object> config) {
    return Admin.create(config);
  }

  private Map<TopicPartition, OffsetAndMetadata> held(
      Map<TopicPartition, OffsetAndMetadata> offsets) {
    Map<TopicPartition, OffsetAndMetadata> held = new HashMap<>();
    offsets.forEach(
        (topicPartition, offset) -> {
          Long last = projected.get(topicPartition.partition());
          if (last != null && last >= 0) {
            held.put(
                topicPartition,
                last + 1 < offset.offset()
                    ? new OffsetAndMetadata(last + 1, offset.metadata())
                    : offset);
          }
        });
    return held;
  }

  private final class LogConsumer extends KafkaConsumer<byte[], byte[]> {

    LogConsumer(Map<String, Object> config) {
      super(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    @Override
    public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
      ConsumerRecords<byte[], byte[]> records = super.poll(timeout);
      for (TopicPartition topicPartition : records.partitions()) {
        List<ConsumerRecord<byte[], byte[]>> batch = records.records(topicPartition);
        polled.put(topicPartition.partition(), batch.getLast().offset());
      }
      return records;
    }

    @Override
    public void commitSync(Map<TopicPartition, OffsetAndMetadata> offsets) {
      super.commitSync(held(offsets));
    }

    @Override
    public void commitSync(Map<TopicPartition, OffsetAndMetadata> offsets, Duration timeout) {
      super.commitSync(held(offsets), timeout);
    }

    @Override
    public void commitAsync(
        Map<TopicPartition, OffsetAndMetadata> offsets, @Nullable OffsetCommitCallback callback) {
      super.commitAsync(held(offsets), callback);
    }
  }
}
