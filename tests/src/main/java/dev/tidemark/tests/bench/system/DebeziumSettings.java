package dev.tidemark.tests.bench.system;

import dev.tidemark.standalone.EmbeddedServers;
import dev.tidemark.standalone.postgres.EmbeddedPostgres;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

/** What Debezium and Kafka Connect are configured with; all else is their default. */
final class DebeziumSettings {

  private DebeziumSettings() {}

  /** The connector that reads the source, and its rows as a snapshot when there are any. */
  static Map<String, String> source(Clusters clusters, Tuning tuning, int rows) {
    Map<String, String> settings = new TreeMap<>();
    settings.put("name", "bench-source");
    settings.put("connector.class", "io.debezium.connector.postgresql.PostgresConnector");
    settings.put("topic.prefix", "bench");
    settings.put("database.hostname", "127.0.0.1");
    settings.put("database.port", Integer.toString(clusters.source().port()));
    settings.put("database.dbname", EmbeddedServers.SOURCE);
    settings.put("database.user", EmbeddedPostgres.SUPERUSER);
    settings.put("database.password", Peer.PASSWORD);
    settings.put("plugin.name", "pgoutput");
    settings.put("slot.name", "bench");
    settings.put("publication.name", "bench");
    settings.put("publication.autocreate.mode", "disabled");
    settings.put("table.include.list", "public.tidemark_doc");
    settings.put("snapshot.mode", rows > 0 ? "initial" : "no_data");
    if (tuning == Tuning.LATENCY) {
      settings.put("poll.interval.ms", "2");
    }
    return settings;
  }

  /** The connector that writes the replica. */
  static Map<String, String> sink(Clusters clusters, int tasks) {
    Map<String, String> settings = new TreeMap<>();
    settings.put("name", "bench-sink");
    settings.put("connector.class", "io.debezium.connector.jdbc.JdbcSinkConnector");
    settings.put("tasks.max", Integer.toString(tasks));
    settings.put("topics", "bench.public.tidemark_doc");
    settings.put(
        "connection.url",
        clusters.replica().jdbcUrl(EmbeddedServers.REPLICA) + "?reWriteBatchedInserts=true");
    settings.put("connection.username", EmbeddedPostgres.SUPERUSER);
    settings.put("connection.password", Peer.PASSWORD);
    settings.put("insert.mode", "upsert");
    settings.put("delete.enabled", "true");
    settings.put("primary.key.mode", "record_key");
    settings.put("collection.name.format", "tidemark_doc");
    return settings;
  }

  static void write(Map<String, String> settings, Path file) throws IOException {
    Properties properties = new Properties();
    properties.putAll(settings);
    try (Writer writer = Files.newBufferedWriter(file)) {
      properties.store(writer, null);
    }
  }
}
