package dev.tidemark.capture.state;

import dev.tidemark.topics.TopicNames;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * The pipeline's compacted offsets topic: one key, whose newest value is the pipeline's state.
 * Thread-safe. A write returns when every in-sync replica has it.
 */
public final class StateTopic implements AutoCloseable {

  private static final byte[] KEY = "state".getBytes(StandardCharsets.UTF_8);
  private static final Duration WRITE_LIMIT = Duration.ofSeconds(30);

  private final TopicPartition partition;
  private final String bootstrap;
  private final KafkaProducer<byte[], byte[]> producer;

  /** Opens a producer; the topic must be there. */
  public StateTopic(TopicNames names, String bootstrap) {
    this.partition = new TopicPartition(names.offsets(), 0);
    this.bootstrap = bootstrap;
    this.producer =
        new KafkaProducer<>(
            Map.of(
                "bootstrap.servers",
                bootstrap,
                "client.id",
                names.captureGroup() + "-state",
                "acks",
                "all",
                "enable.idempotence",
                true),
            new ByteArraySerializer(),
            new ByteArraySerializer());
  }

  /** The newest state; empty when there never was one. */
  public Optional<PipelineState> read() {
    Map<String, Object> config =
        Map.of(
            "bootstrap.servers",
            bootstrap,
            "enable.auto.commit",
            false,
            "auto.offset.reset",
            "earliest");
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      consumer.assign(List.of(partition));
      long end = consumer.endOffsets(List.of(partition)).getOrDefault(partition, 0L);
      consumer.seekToBeginning(List.of(partition));
      Optional<PipelineState> newest = Optional.empty();
      while (consumer.position(partition) < end) {
        for (ConsumerRecord<byte[], byte[]> entry : consumer.poll(Duration.ofMillis(200))) {
          newest = Optional.of(StateCodec.read(new String(entry.value(), StandardCharsets.UTF_8)));
        }
      }
      return newest;
    }
  }

  /**
   * Writes the state and waits until it is acknowledged.
   *
   * @throws IllegalStateException when Kafka does not acknowledge it within 30 s
   */
  public void write(PipelineState state) {
    byte[] value = StateCodec.write(state).getBytes(StandardCharsets.UTF_8);
    try {
      producer
          .send(new ProducerRecord<>(partition.topic(), partition.partition(), KEY, value))
          .get(WRITE_LIMIT.toSeconds(), TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while writing to " + partition, e);
    } catch (ExecutionException | TimeoutException e) {
      throw new IllegalStateException(
          "the pipeline's state could not be written to " + partition, e);
    }
  }

  @Override
  public void close() {
    producer.close(Duration.ofSeconds(5));
  }
}
