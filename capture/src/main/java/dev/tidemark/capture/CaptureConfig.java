package dev.tidemark.capture;

import dev.tidemark.topics.route.RouteFile;

/**
 * What capture needs to run.
 *
 * @param sourceJdbcUrl the source database, as pgjdbc takes it, without user and password
 * @param user a role with LOGIN and REPLICATION that may select from the routed tables
 * @param password its password
 * @param kafkaBootstrap {@code host:port}, or several with commas
 * @param replicationFactor of the topics that capture creates, 1 or more
 * @param routes what to capture
 * @param instance a name that stays the same over restarts of this process and differs from every
 *     other's, so that a restarted process takes its place again at once
 */
public record CaptureConfig(
    String sourceJdbcUrl,
    String user,
    String password,
    String kafkaBootstrap,
    short replicationFactor,
    RouteFile routes,
    String instance,
    boolean startOver) {

  /** Leaves the password out. */
  @Override
  public String toString() {
    return "CaptureConfig["
        + sourceJdbcUrl
        + ", "
        + user
        + ", "
        + kafkaBootstrap
        + ", "
        + instance
        + "]";
  }
}
