package dev.tidemark.topics;

import java.util.List;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.errors.TopicExistsException;

/** Creating topics, over the caller's client. */
public final class Topics {

  private Topics() {}

  /**
   * Creates the topic; one that is there already, or that somebody else makes at the same time,
   * stays as it is.
   *
   * @throws ExecutionException with what Kafka said
   */
  public static void createIfAbsent(Admin admin, NewTopic topic)
      throws InterruptedException, ExecutionException {
    try {
      admin.createTopics(List.of(topic)).all().get();
    } catch (ExecutionException e) {
      if (!(e.getCause() instanceof TopicExistsException)) {
        throw e;
      }
    }
  }
}
