package dev.tidemark.projector.replica;

import dev.tidemark.projector.ProjectorConfig;
import dev.tidemark.topics.TopicNames;
import dev.tidemark.topics.Topics;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * The pipeline's quarantine topic. A change is acknowledged there before the replica commits that
 * it was set aside, so a crash between the two sends it again: a reader tells that by the headers
 * {@code tidemark.partition} and {@code tidemark.offset}. Connects when the first change comes. Not
 * thread-safe.
 */
final class DeadLetters implements AutoCloseable {

  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final ProjectorConfig config;
  private final String topic;
  private final int partition;
  private @Nullable KafkaProducer<byte[], byte[]> producer;

  DeadLetters(ProjectorConfig config, int partition) {
    this.config = config;
    this.topic = new TopicNames(config.routes().pipeline()).quarantine();
    this.partition = partition;
  }

  /**
   * Sends the change and waits until it is acknowledged.
   *
   * @throws IllegalStateException when Kafka does not take it within 30 s
   */
  void send(Quarantined change) {
    try {
      ProducerRecord<byte[], byte[]> message =
          new ProducerRecord<>(
              topic,
              partition,
              bytes(change.key().table().target() + " " + change.key().values()),
              bytes(change.change()));
      message
          .headers()
          .add("tidemark.target", bytes(change.key().table().target()))
          .add("tidemark.tenant", bytes(change.key().tenant()))
          .add("tidemark.reason", bytes(change.reason()))
          .add("tidemark.partition", bytes(Integer.toString(partition)))
          .add("tidemark.offset", bytes(Long.toString(change.offset())))
          .add("tidemark.generation", bytes(Integer.toString(change.generation())));
      producer().send(message).get(LIMIT.toSeconds(), TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while writing to " + topic, e);
    } catch (ExecutionException | TimeoutException e) {
      throw new IllegalStateException("a change could not be set aside in " + topic, e);
    }
  }

  private KafkaProducer<byte[], byte[]> producer() throws InterruptedException, ExecutionException {
    if (producer == null) {
      Map<String, Object> bootstrap = Map.of("bootstrap.servers", config.kafkaBootstrap());
      try (Admin admin = Admin.create(bootstrap)) {
        Topics.createIfAbsent(
            admin,
            new NewTopic(topic, config.routes().partitions(), config.replicationFactor())
                .configs(
                    Map.of(
                        TopicConfig.RETENTION_MS_CONFIG,
                        "-1",
                        TopicConfig.MAX_MESSAGE_BYTES_CONFIG,
                        Integer.toString(TopicNames.MAX_RECORD_BYTES))));
      }
      producer =
          new KafkaProducer<>(
              Map.of(
                  "bootstrap.servers",
                  config.kafkaBootstrap(),
                  "acks",
                  "all",
                  "max.request.size",
                  TopicNames.MAX_RECORD_BYTES),
              new ByteArraySerializer(),
              new ByteArraySerializer());
    }
    return producer;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    if (producer != null) {
      producer.close(Duration.ofSeconds(1));
    }
  }
}
