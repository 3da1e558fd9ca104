package dev.tidemark.tests.prove.end;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tidemark.topics.Lsn;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.jspecify.annotations.Nullable;

/**
 * Reads a table topic as its documentation tells consumers to: read committed, ordered by
 * generation, commit position and order within the transaction; columns that are absent keep what
 * they had.
 */
final class TopicReplay implements AutoCloseable {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration POLL = Duration.ofMillis(300);
  private static final Comparator<Event> ORDER =
      Comparator.comparingInt(Event::generation)
          .thenComparing(Event::commit)
          .thenComparingLong(Event::order);

  /** Of one change the delete under the old key comes first, whatever partition it is in. */
  private static final Comparator<Event> DELETES_FIRST =
      ORDER.thenComparing(event -> event.after() != null);

  private final List<String> columns;
  private final List<TopicPartition> partitions;
  private final KafkaConsumer<@Nullable String, String> consumer;
  private final List<Event> events = new ArrayList<>();

  /**
   * A record.
   *
   * @param key null for a truncation
   * @param after the columns of the new row that are there; null when there is no new row
   */
  private record Event(
      int generation,
      Lsn commit,
      long order,
      @Nullable String key,
      @Nullable Map<String, String> after) {}

  TopicReplay(String bootstrap, String topic, String... columns) {
    this.columns = List.of(columns);
    Properties settings = new Properties();
    settings.put("bootstrap.servers", bootstrap);
    settings.put("isolation.level", "read_committed");
    settings.put("auto.offset.reset", "earliest");
    settings.put("key.deserializer", StringDeserializer.class.getName());
    settings.put("value.deserializer", StringDeserializer.class.getName());
    this.consumer = new KafkaConsumer<>(settings);
    this.partitions =
        consumer.partitionsFor(topic).stream()
            .map(info -> new TopicPartition(topic, info.partition()))
            .toList();
    consumer.assign(partitions);
  }

  /** Reads to the end of now, and a moment longer. */
  void readToEnd() throws IOException {
    Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
    do {
      for (ConsumerRecord<@Nullable String, String> message : consumer.poll(POLL)) {
        events.add(event(message));
      }
    } while (partitions.stream()
        .anyMatch(each -> consumer.position(each) < ends.getOrDefault(each, 0L)));
  }

  private Event event(ConsumerRecord<@Nullable String, String> message) throws IOException {
    JsonNode value = JSON.readTree(message.value());
    JsonNode row = value.path("after");
    Map<String, String> after = null;
    if (row.isObject()) {
      after = new LinkedHashMap<>();
      for (String column : columns) {
        if (row.has(column)) {
          after.put(column, row.path(column).asText());
        }
      }
    }
    return new Event(
        Integer.parseInt(header(message, "tidemark.generation")),
        Lsn.parse(header(message, "tidemark.commit_lsn")),
        value.path("transaction").path("total_order").asLong(),
        value.path("op").asText().equals("t") ? null : message.key(),
        after);
  }

  private static String header(ConsumerRecord<?, ?> message, String name) {
    return new String(message.headers().lastHeader(name).value(), StandardCharsets.UTF_8);
  }

  /** The rows that all records lead to. */
  List<String> rows() {
    Map<String, Map<String, String>> rows = new HashMap<>();
    // What the delete of a key change took away: the same change's new row may lack large values.
    Map<String, String> removed = Map.of();
    @Nullable Event before = null;
    events.sort(DELETES_FIRST);
    for (Event event : events) {
      if (before == null || ORDER.compare(before, event) != 0) {
        removed = Map.of();
      }
      before = event;
      String key = event.key();
      Map<String, String> after = event.after();
      if (key == null) {
        rows.clear();
      } else if (after == null) {
        Map<String, String> gone = rows.remove(key);
        removed = gone == null ? Map.of() : gone;
      } else {
        Map<String, String> merged = new HashMap<>(rows.getOrDefault(key, removed));
        merged.putAll(after);
        rows.put(key, merged);
      }
    }
    return rows.values().stream()
        .map(
            row ->
                String.join(
                    "\u001f",
                    columns.stream().map(column -> row.getOrDefault(column, "absent")).toList()))
        .toList();
  }

  @Override
  public void close() {
    consumer.close();
  }
}
