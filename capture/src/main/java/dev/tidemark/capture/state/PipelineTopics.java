package dev.tidemark.capture.state;

import dev.tidemark.topics.TopicNames;
import dev.tidemark.topics.Topics;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.config.TopicConfig;

/** Creates the topics that capture writes, and checks those that are there. */
public final class PipelineTopics {

  private static final long WEEK_MS = 7L * 24 * 60 * 60 * 1000;

  private PipelineTopics() {}

  /**
   * Makes sure that the log and offsets topics exist.
   *
   * @return the id of the log topic, which another topic of the same name does not have
   * @throws IllegalStateException when the log topic has another number of partitions than the
   *     routes
   */
  public static String ensure(
      String bootstrap, TopicNames names, int partitions, short replicationFactor) {
    NewTopic log =
        new NewTopic(names.log(), partitions, replicationFactor)
            .configs(
                Map.of(
                    TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_DELETE,
                    TopicConfig.RETENTION_MS_CONFIG, Long.toString(WEEK_MS),
                    TopicConfig.MAX_MESSAGE_BYTES_CONFIG,
                        Integer.toString(TopicNames.MAX_RECORD_BYTES)));
    NewTopic offsets =
        new NewTopic(names.offsets(), 1, replicationFactor)
            .configs(Map.of(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_COMPACT));
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
      for (NewTopic topic : List.of(log, offsets)) {
        Topics.createIfAbsent(admin, topic);
      }
      TopicDescription description =
          admin
              .describeTopics(List.of(names.log()))
              .allTopicNames()
              .get()
              .values()
              .iterator()
              .next();
      int found = description.partitions().size();
      if (found != partitions) {
        throw new IllegalStateException(
            "topic "
                + names.log()
                + " has "
                + found
                + " partitions, but the routes ask for "
                + partitions
                + ": a pipeline keeps its number of partitions; set it back, or choose another pipeline name");
      }
      return description.topicId().toString();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(
          "interrupted while creating topics of " + names.pipeline(), e);
    } catch (ExecutionException e) {
      throw new IllegalStateException(
          "the topics of " + names.pipeline() + " could not be created", e.getCause());
    }
  }
}
