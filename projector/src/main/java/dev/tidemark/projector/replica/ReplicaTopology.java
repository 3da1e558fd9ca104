package dev.tidemark.projector.replica;

import dev.tidemark.projector.ProjectorConfig;
import dev.tidemark.topics.TopicNames;
import java.util.Properties;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;

/**
 * The Kafka Streams application that writes the replica: a source and a processor, without state of
 * its own.
 */
public final class ReplicaTopology {

  private ReplicaTopology() {}

  /** A client that is not started yet. */
  public static KafkaStreams client(ProjectorConfig config, Stops stops, Backlog backlog) {
    TopicNames names = new TopicNames(config.routes().pipeline());
    LogConsumers consumers = new LogConsumers();
    Topology topology = new Topology();
    topology.addSource(
        "log", Serdes.ByteArray().deserializer(), Serdes.ByteArray().deserializer(), names.log());
    topology.addProcessor(
        "replica", () -> new ReplicaProcessor(config, consumers, stops, backlog), "log");
    return new KafkaStreams(topology, settings(config, names), consumers);
  }

  private static Properties settings(ProjectorConfig config, TopicNames names) {
    Properties p = new Properties();
    p.put(StreamsConfig.APPLICATION_ID_CONFIG, names.replicaApplication());
    p.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, config.kafkaBootstrap());
    p.put(StreamsConfig.STATE_DIR_CONFIG, config.stateFolder().toString());
    p.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.AT_LEAST_ONCE);
    p.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, Math.min(2, config.routes().partitions()));
    p.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, 1_000);
    // A poll ends at once when records come; this bounds how long a resumed projector waits in one.
    p.put(StreamsConfig.POLL_MS_CONFIG, 200);
    // Records are fetched as soon as they are there; this is how often an idle broker is asked, and
    // how long a client that is closed may wait for its last answer.
    p.put(StreamsConfig.mainConsumerPrefix("fetch.max.wait.ms"), 1_000);
    p.put(StreamsConfig.mainConsumerPrefix("auto.offset.reset"), "earliest");
    p.put(StreamsConfig.mainConsumerPrefix("group.instance.id"), config.instance());
    p.put(StreamsConfig.mainConsumerPrefix("session.timeout.ms"), 10_000);
    p.put(StreamsConfig.mainConsumerPrefix("heartbeat.interval.ms"), 2_000);
    // Also how often a consumer's heartbeat thread looks at its clock.
    p.put(StreamsConfig.mainConsumerPrefix("retry.backoff.ms"), 500);
    p.put(StreamsConfig.mainConsumerPrefix("max.partition.fetch.bytes"), 8 << 20);
    return p;
  }
}
