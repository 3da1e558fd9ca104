package dev.tidemark.standalone.role;

/**
 * The Kafka cluster.
 *
 * @param bootstrap {@code host:port}, or several with commas
 * @param replicationFactor of the topics that capture and projector create, 1 or more
 */
record KafkaSettings(String bootstrap, short replicationFactor) {

  /** A cluster of fewer brokers has to say so: fewer copies are a choice, not a default. */
  static final short DEFAULT_REPLICATION_FACTOR = 3;
}
