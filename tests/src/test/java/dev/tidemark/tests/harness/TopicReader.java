package dev.tidemark.tests.harness;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;

/** Reads a topic as somebody would who knows Kafka and nothing of Tidemark. */
public final class TopicReader {

  private TopicReader() {}

  /** What is committed in the topic from its beginning to its end of now. */
  public static List<ConsumerRecord<String, String>> all(String bootstrap, String topic) {
    Properties settings = new Properties();
    settings.put("bootstrap.servers", bootstrap);
    settings.put("isolation.level", "read_committed");
    settings.put("auto.offset.reset", "earliest");
    settings.put("key.deserializer", StringDeserializer.class.getName());
    settings.put("value.deserializer", StringDeserializer.class.getName());
    try (KafkaConsumer<String, String> consumer = new KafkaConsumer<>(settings)) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(topic).stream()
              .map(info -> new TopicPartition(topic, info.partition()))
              .toList();
      consumer.assign(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      List<ConsumerRecord<String, String>> records = new ArrayList<>();
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
