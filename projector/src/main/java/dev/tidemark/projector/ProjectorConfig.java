package dev.tidemark.projector;

import dev.tidemark.topics.route.RouteFile;
import java.nio.file.Path;

/**
 * What the projector needs to run.
 *
 * @param replicaJdbcUrl the replica database, as pgjdbc takes it, without user and password
 * @param user the projector's role, which is neither superuser nor BYPASSRLS
 * @param password its password
 * @param kafkaBootstrap {@code host:port}, or several with commas
 * @param replicationFactor of the topics that the projector creates, 1 or more
 * @param routes what to project
 * @param stateFolder where Kafka Streams keeps local state, for this process alone
 * @param instance a name that stays the same over restarts of this process and differs from every
 *     other's, so that a restarted process takes its partitions again at once
 */
public record ProjectorConfig(
    String replicaJdbcUrl,
    String user,
    String password,
    String kafkaBootstrap,
    short replicationFactor,
    RouteFile routes,
    Path stateFolder,
    String instance) {

  /** Leaves the password out. */
  @Override
  public String toString() {
    return "ProjectorConfig["
        + replicaJdbcUrl
        + ", "
        + user
        + ", "
        + kafkaBootstrap
        + ", "
        + instance
        + "]";
  }
}
