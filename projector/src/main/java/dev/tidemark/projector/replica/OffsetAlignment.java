package dev.tidemark.projector.replica;

import dev.tidemark.projector.ProjectorConfig;
import dev.tidemark.topics.TopicNames;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Before consuming begins, the watermark table wins over what the consumer group remembers: the
 * replica may have been restored from a backup, or the log may be a new one.
 */
public final class OffsetAlignment {

  private static final Logger LOG = LoggerFactory.getLogger(OffsetAlignment.class);

  private OffsetAlignment() {}

  /**
   * Moves the group back where it is ahead of the table, and lets the table start over where it is
   * ahead of the log.
   *
   * @throws IllegalStateException when the log topic is not there yet or Kafka does not allow the
   *     move, for instance since another projector is at work
   */
  public static void align(ProjectorConfig config) throws SQLException {
    TopicNames names = new TopicNames(config.routes().pipeline());
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", config.kafkaBootstrap()));
        Connection connection =
            DriverManager.getConnection(
                config.replicaJdbcUrl(), config.user(), config.password())) {
      if (!admin.listTopics().names().get().contains(names.log())) {
        throw new IllegalStateException(
            "topic " + names.log() + " is not there yet: capture creates it");
      }
      Map<TopicPartition, Long> table = tableOffsets(connection, config, names);
      startOver(connection, admin, config, table);
      moveBack(admin, names, table);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted before the projector began", e);
    } catch (ExecutionException e) {
      throw new IllegalStateException(
          "the offsets of " + names.replicaApplication() + " cannot be compared with the replica's",
          e.getCause());
    }
  }

  private static Map<TopicPartition, Long> tableOffsets(
      Connection connection, ProjectorConfig config, TopicNames names) throws SQLException {
    Map<TopicPartition, Long> offsets = new HashMap<>();
    try (PreparedStatement statement =
        connection.prepareStatement(
            "select partition, log_offset from public.tidemark_watermark where pipeline = ?")) {
      statement.setString(1, config.routes().pipeline());
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          offsets.put(new TopicPartition(names.log(), row.getInt(1)), row.getLong(2));
        }
      }
    }
    return offsets;
  }

  /** A log that ends before the table's offset is not the log that the table was written from. */
  private static void startOver(
      Connection connection, Admin admin, ProjectorConfig config, Map<TopicPartition, Long> table)
      throws SQLException, InterruptedException, ExecutionException {
    Map<TopicPartition, OffsetSpec> latest = new HashMap<>();
    table.keySet().forEach(partition -> latest.put(partition, OffsetSpec.latest()));
    var ends = admin.listOffsets(latest).all().get();
    for (var end : ends.entrySet()) {
      TopicPartition partition = end.getKey();
      if (table.getOrDefault(partition, -1L) < end.getValue().offset()) {
        continue;
      }
      LOG.warn(
          "topic={} partition={} ends at offset {}, before the replica: it is a new log and is read from its start",
          partition.topic(),
          partition.partition(),
          end.getValue().offset());
      try (PreparedStatement statement =
          connection.prepareStatement(
              "update public.tidemark_watermark set log_offset = -1, epoch = epoch + 1"
                  + " where pipeline = ? and partition = ?")) {
        statement.setString(1, config.routes().pipeline());
        statement.setInt(2, partition.partition());
        statement.executeUpdate();
      }
      table.put(partition, -1L);
    }
  }

  private static void moveBack(Admin admin, TopicNames names, Map<TopicPartition, Long> table)
      throws InterruptedException, ExecutionException {
    String group = names.replicaApplication();
    Map<TopicPartition, OffsetAndMetadata> committed;
    try {
      committed = admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata().get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof org.apache.kafka.common.errors.GroupIdNotFoundException) {
        return;
      }
      throw e;
    }
    Map<TopicPartition, OffsetAndMetadata> moves = new HashMap<>();
    committed.forEach(
        (partition, offset) -> {
          long next = table.getOrDefault(partition, -1L) + 1;
          if (offset != null && offset.offset() > next) {
            moves.put(partition, new OffsetAndMetadata(next));
          }
        });
    if (!moves.isEmpty()) {
      LOG.warn("group={} is ahead of the replica and is moved back: {}", group, moves);
      admin.alterConsumerGroupOffsets(group, moves).all().get();
    }
  }
}
