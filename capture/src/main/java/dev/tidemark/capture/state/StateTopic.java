package dev.tidemark.capture.state;

import dev.tidemark.topics.TopicNames;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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
import org.jspecify.annotations.Nullable;

/**
 * The pipeline's compacted offsets topic: one key for each run of capture, so that a run which lost
 * the slot and comes back late does not overwrite what its successor stored. Thread-safe. A write
 * returns when every in-sync replica has it.
 */
public final class StateTopic implements AutoCloseable {

  private static final Duration WRITE_LIMIT = Duration.ofSeconds(30);

  private final TopicPartition partition;
  private final String bootstrap;
  private final KafkaProducer<byte[], byte[]> producer;
  private volatile Set<String> keys = Set.of();

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

  /**
   * The state that is furthest on, with the number of the latest run; empty when there never was
   * one.
   */
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
      Map<String, PipelineState> runs = new LinkedHashMap<>();
      while (consumer.position(partition) < end) {
        for (ConsumerRecord<byte[], byte[]> entry : consumer.poll(Duration.ofMillis(200))) {
          String key = text(entry.key());
          if (entry.value() == null) {
            runs.remove(key);
          } else {
            runs.put(key, StateCodec.read(text(entry.value())));
          }
        }
      }
      keys = Set.copyOf(runs.keySet());
      return PipelineState.furthest(runs.values());
    }
  }

  /** Writes a run's first state, and forgets what {@link #read} has found of earlier runs. */
  public void begin(PipelineState state) {
    write(state);
    for (String key : keys) {
      if (!key.equals(key(state))) {
        send(key, null);
      }
    }
  }

  /**
   * Writes the state and waits until it is acknowledged.
   *
   * @throws IllegalStateException when Kafka does not acknowledge it within 30 s
   */
  public void write(PipelineState state) {
    send(key(state), bytes(StateCodec.write(state)));
  }

  private void send(String key, byte @Nullable [] value) {
    try {
      producer
          .send(new ProducerRecord<>(partition.topic(), partition.partition(), bytes(key), value))
          .get(WRITE_LIMIT.toSeconds(), TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while writing to " + partition, e);
    } catch (ExecutionException | TimeoutException e) {
      throw new IllegalStateException(
          "the pipeline's state could not be written to " + partition, e);
    }
  }

  private static String key(PipelineState state) {
    return "run-" + state.run();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    producer.close(Duration.ofSeconds(5));
  }
}
