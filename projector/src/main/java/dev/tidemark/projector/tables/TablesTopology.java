package dev.tidemark.projector.tables;

import dev.tidemark.projector.ProjectorConfig;
import dev.tidemark.topics.TopicNames;
import dev.tidemark.topics.Topics;
import dev.tidemark.topics.route.DocumentRoute;
import dev.tidemark.topics.route.RouteFile;
import dev.tidemark.topics.route.TableName;
import dev.tidemark.topics.route.TableRoute;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Properties;
import java.util.SequencedSet;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.state.Stores;

/** The Kafka Streams application that writes the table topics, under {@code exactly_once_v2}. */
public final class TablesTopology {

  /**
   * The JSON of a change may be longer than its form in the log. A broker takes requests of 100 MiB
   * by default.
   */
  private static final int MAX_EVENT_BYTES = 96 << 20;

  /**
   * Long enough for a million events, and short enough for readers of committed events, who stand
   * still that long when a process is killed within a transaction and does not come back.
   */
  private static final int TRANSACTION_LIMIT_MS = 60_000;

  private TablesTopology() {}

  /** A client that is not started yet. Creates the topics that it writes to. */
  public static KafkaStreams client(ProjectorConfig config) {
    TopicNames names = new TopicNames(config.routes().pipeline());
    SequencedSet<TableName> tables = routedTables(config.routes());
    createTopics(config, names, tables);
    return new KafkaStreams(topology(config.routes(), names, tables), settings(config, names));
  }

  private static Topology topology(
      RouteFile routes, TopicNames names, SequencedSet<TableName> tables) {
    Topology topology = new Topology();
    topology.addSource(
        "log", Serdes.ByteArray().deserializer(), Serdes.ByteArray().deserializer(), names.log());
    topology.addProcessor("tables", () -> new TablesProcessor(routes), "log");
    topology.addStateStore(
        Stores.keyValueStoreBuilder(
                Stores.persistentKeyValueStore(TablesProcessor.POSITION_STORE),
                Serdes.String(),
                Serdes.ByteArray())
            // Written with each transaction of the source, and needed only at each of Kafka's.
            .withCachingEnabled(),
        "tables");
    topology.addStateStore(
        Stores.keyValueStoreBuilder(
            Stores.persistentKeyValueStore(TablesProcessor.PARTS_STORE),
            Serdes.Integer(),
            Serdes.ByteArray()),
        "tables");
    for (TableName table : tables) {
      topology.addSink(
          sink(table),
          names.table(table.schema(), table.name()),
          Serdes.ByteArray().serializer(),
          Serdes.ByteArray().serializer(),
          "tables");
    }
    return topology;
  }

  /** The name of the sink of a table. */
  static String sink(TableName table) {
    return "table-" + table;
  }

  /** The source tables that have routes, each once. */
  static SequencedSet<TableName> routedTables(RouteFile routes) {
    SequencedSet<TableName> tables = new LinkedHashSet<>();
    routes
        .routes()
        .forEach(
            route ->
                tables.add(
                    switch (route) {
                      case DocumentRoute document -> routes.documents();
                      case TableRoute table -> table.table();
                    }));
    return tables;
  }

  private static void createTopics(
      ProjectorConfig config, TopicNames names, SequencedSet<TableName> tables) {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", config.kafkaBootstrap()))) {
      if (!admin.listTopics().names().get().contains(names.log())) {
        throw new IllegalStateException(
            "topic " + names.log() + " is not there yet: capture creates it");
      }
      for (TableName table : tables) {
        NewTopic topic =
            new NewTopic(
                    names.table(table.schema(), table.name()),
                    config.routes().partitions(),
                    config.replicationFactor())
                // Kept from the first record on, so that a reader can build the table from the
                // topic alone.
                .configs(
                    Map.of(
                        TopicConfig.RETENTION_MS_CONFIG,
                        "-1",
                        TopicConfig.MAX_MESSAGE_BYTES_CONFIG,
                        Integer.toString(MAX_EVENT_BYTES)));
        Topics.createIfAbsent(admin, topic);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while creating the table topics", e);
    } catch (ExecutionException e) {
      throw new IllegalStateException(
          "the table topics of " + names.pipeline() + " could not be created", e.getCause());
    }
  }

  private static Properties settings(ProjectorConfig config, TopicNames names) {
    Properties p = new Properties();
    p.put(StreamsConfig.APPLICATION_ID_CONFIG, names.tablesApplication());
    p.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, config.kafkaBootstrap());
    p.put(StreamsConfig.STATE_DIR_CONFIG, config.stateFolder().toString());
    p.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
    p.put(StreamsConfig.REPLICATION_FACTOR_CONFIG, (int) config.replicationFactor());
    p.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, 1);
    // For the positions alone, of which there is one a partition; the other store is not cached.
    p.put(StreamsConfig.STATESTORE_CACHE_MAX_BYTES_CONFIG, 1 << 20);
    // Each commit is a transaction of Kafka's, with requests to three of its coordinators; the
    // default is 100 ms. Events that come together are fetched together.
    p.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, 500);
    p.put(StreamsConfig.mainConsumerPrefix("fetch.min.bytes"), 64 << 10);
    p.put(StreamsConfig.mainConsumerPrefix("fetch.max.wait.ms"), 500);
    p.put(StreamsConfig.POLL_MS_CONFIG, 200);
    p.put(StreamsConfig.mainConsumerPrefix("auto.offset.reset"), "earliest");
    p.put(StreamsConfig.mainConsumerPrefix("group.instance.id"), config.instance());
    p.put(StreamsConfig.mainConsumerPrefix("session.timeout.ms"), 10_000);
    p.put(StreamsConfig.mainConsumerPrefix("heartbeat.interval.ms"), 2_000);
    // Also how often a consumer's heartbeat thread looks at its clock.
    p.put(StreamsConfig.mainConsumerPrefix("retry.backoff.ms"), 500);
    p.put(StreamsConfig.mainConsumerPrefix("max.partition.fetch.bytes"), 8 << 20);
    p.put(StreamsConfig.producerPrefix("max.request.size"), MAX_EVENT_BYTES);
    // 32 MiB by default, in which a larger record does not fit.
    p.put(StreamsConfig.producerPrefix("buffer.memory"), (long) MAX_EVENT_BYTES);
    // The events of one source transaction are written in one of Kafka's, however many they are;
    // by default that may take 10 s.
    p.put(StreamsConfig.producerPrefix("transaction.timeout.ms"), TRANSACTION_LIMIT_MS);
    p.put(
        StreamsConfig.topicPrefix(TopicConfig.MAX_MESSAGE_BYTES_CONFIG),
        TopicNames.MAX_RECORD_BYTES);
    return p;
  }
}
