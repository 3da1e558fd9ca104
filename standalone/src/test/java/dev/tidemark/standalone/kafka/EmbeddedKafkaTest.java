package dev.tidemark.standalone.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedKafkaTest {

  private static final String TOPIC = "tides";

  @Test
  void recordsOffsetsAndAddressSurviveARestart(@TempDir Path temporary) throws Exception {
    Path folder = temporary.resolve("a folder");
    String address;
    try (EmbeddedKafka kafka = EmbeddedKafka.start(folder)) {
      address = kafka.bootstrapServers();
      assertThat(address).startsWith("127.0.0.1:");
      createTopic(kafka);
      produce(kafka, "high");
      assertThat(consume(kafka)).containsExactly("high");
    }
    try (EmbeddedKafka kafka = EmbeddedKafka.start(folder)) {
      assertThat(kafka.bootstrapServers()).isEqualTo(address);
      produce(kafka, "low");
      // The group goes on behind what it had committed before the restart.
      assertThat(consume(kafka)).containsExactly("low");
    }
  }

  @Test
  void topicIsNotMadeByWritingToIt(@TempDir Path temporary) throws Exception {
    try (EmbeddedKafka kafka = EmbeddedKafka.start(temporary);
        KafkaProducer<String, String> producer = producer(kafka, "500")) {
      assertThatThrownBy(() -> producer.send(new ProducerRecord<>(TOPIC, "value")).get())
          .hasMessageContaining(TOPIC);
    }
  }

  private static void createTopic(EmbeddedKafka kafka) throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      admin.createTopics(Set.of(new NewTopic(TOPIC, Optional.of(1), Optional.empty()))).all().get();
    }
  }

  private static void produce(EmbeddedKafka kafka, String value) throws Exception {
    try (KafkaProducer<String, String> producer = producer(kafka, "10000")) {
      producer.send(new ProducerRecord<>(TOPIC, value)).get();
    }
  }

  private static KafkaProducer<String, String> producer(EmbeddedKafka kafka, String maxBlockMs) {
    return new KafkaProducer<>(
        Map.of("bootstrap.servers", kafka.bootstrapServers(), "max.block.ms", maxBlockMs),
        new StringSerializer(),
        new StringSerializer());
  }

  private static List<String> consume(EmbeddedKafka kafka) {
    try (KafkaConsumer<String, String> consumer =
        new KafkaConsumer<>(
            Map.of(
                "bootstrap.servers",
                kafka.bootstrapServers(),
                "group.id",
                "readers",
                "auto.offset.reset",
                "earliest",
                "enable.auto.commit",
                "false"),
            new StringDeserializer(),
            new StringDeserializer())) {
      consumer.subscribe(List.of(TOPIC));
      List<String> values = new ArrayList<>();
      long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
      while (values.isEmpty() && System.nanoTime() < deadline) {
        consumer.poll(Duration.ofMillis(100)).forEach(record -> values.add(record.value()));
      }
      consumer.commitSync();
      return values;
    }
  }
}
