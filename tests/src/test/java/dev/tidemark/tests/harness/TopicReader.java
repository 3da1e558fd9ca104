package dev.tidemark.tests.harness;

import static org.awaitility.Awaitility.await;

import dev.tidemark.topics.TopicNames;
import dev.tidemark.topics.log.LogCodec;
import dev.tidemark.topics.log.LogRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.StringDeserializer;

/** Reads a topic as somebody would who knows Kafka and nothing of Tidemark. */
public final class TopicReader {

  private TopicReader() {}

  /** What is committed in the topic from its beginning to its end of now. */
  public static List<ConsumerRecord<String, String>> all(String bootstrap, String topic) {
    return read(bootstrap, topic, new StringDeserializer());
  }

  /** The same of a log topic. */
  public static List<LogRecord> log(String bootstrap, TopicNames names) {
    return read(bootstrap, names.log(), new ByteArrayDeserializer()).stream()
        .map(message -> LogCodec.decode(message.value()))
        .toList();
  }

  private static <V> List<ConsumerRecord<String, V>> read(
      String bootstrap, String topic, Deserializer<V> values) {
    Properties settings = new Properties();
    settings.put("bootstrap.servers", bootstrap);
    settings.put("isolation.level", "read_committed");
    settings.put("auto.offset.reset", "earliest");
    try (KafkaConsumer<String, V> consumer =
        new KafkaConsumer<>(settings, new StringDeserializer(), values)) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(topic).stream()
              .map(info -> new TopicPartition(topic, info.partition()))
              .toList();
      consumer.assign(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      List<ConsumerRecord<String, V>> records = new ArrayList<>();
      await()
          .atMost(TestPipeline.LIMIT)
          .pollInSameThread()
          .pollInterval(Duration.ofMillis(1))
          .until(
              () -> {
                consumer.poll(Duration.ofMillis(100)).forEach(records::add);
                return partitions.stream()
                    .allMatch(each -> consumer.position(each) >= ends.getOrDefault(each, 0L));
              });
      return records;
    }
  }
}
