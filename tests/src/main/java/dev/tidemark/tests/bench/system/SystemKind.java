package dev.tidemark.tests.bench.system;

import java.util.List;

/** The systems that are measured, in the order of the table's columns. */
public enum SystemKind {
  /** As {@code ./tidemark up} runs it. */
  TIDEMARK("tidemark", false),
  /** PostgreSQL's own logical replication: what the machine can do. */
  LOGICAL_REPLICATION("logical-replication", false),
  /** Embedded Debezium with a consumer that does nothing: what capture cannot beat. */
  DEBEZIUM("debezium", false),
  /** Debezium, Kafka, and Debezium's JDBC sink in Kafka Connect: what would be built instead. */
  JDBC_SINK("jdbc-sink", true),
  /** The loop that peeks at the slot every 50 ms. */
  SEED_LOOP("seed-loop", true);

  private final String text;
  private final boolean slow;

  SystemKind(String text, boolean slow) {
    this.text = text;
    this.slow = slow;
  }

  /** As the results and the command line name it. */
  public String text() {
    return text;
  }

  /** Whether large loads are cut down for it, so that a run takes minutes. */
  public boolean slow() {
    return slow;
  }

  /** The names of all. */
  public static List<String> names() {
    return List.of(values()).stream().map(SystemKind::text).toList();
  }

  /** Starts one on an empty source; returns when it follows. */
  public Contender start(Site site, Tuning tuning) throws Exception {
    return start(site, tuning, 0);
  }

  /**
   * Starts one on a source that {@link Documents#fill holds} documents, which it reads as a
   * snapshot; returns when it works, and perhaps before it has read them.
   */
  public Contender startOn(Site site, int rows) throws Exception {
    return start(site, Tuning.THROUGHPUT, rows);
  }

  private Contender start(Site site, Tuning tuning, int rows) throws Exception {
    return site.start(
        () ->
            switch (this) {
              case TIDEMARK -> TidemarkSystem.start(site, TidemarkOptions.DEFAULT.withRows(rows));
              case LOGICAL_REPLICATION -> LogicalReplication.start(site, rows);
              case DEBEZIUM -> BareDebezium.start(site, tuning, rows);
              case JDBC_SINK -> JdbcSink.start(site, tuning, rows);
              case SEED_LOOP -> SeedLoop.start(site);
            });
  }

  /** Whether its settings for latency are not those that it has by itself. */
  public boolean isTuned() {
    return this == DEBEZIUM || this == JDBC_SINK;
  }

  /** Whether it can read what was there before it. */
  public boolean takesSnapshots() {
    return this != SEED_LOOP;
  }
}
