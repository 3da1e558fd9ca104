package dev.tidemark.tests.bench.system;

/**
 * What the settings of Debezium and Connect are chosen for; the other systems have no such choice.
 */
public enum Tuning {
  /**
   * Their own defaults: Debezium hands on up to 2,048 events or what half a second brought, and
   * Kafka's producer waits 5 ms for more.
   */
  THROUGHPUT,
  /** Debezium hands on what 2 ms brought, Kafka's producer waits for nothing. */
  LATENCY
}
