package dev.tidemark.tests.bench.system;

import dev.tidemark.tests.bench.program.ConnectProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * Debezium's source connector and its JDBC sink in one worker of Kafka Connect, with a broker
 * between them. Both connectors are the archives that Debezium publishes for Connect, in Connect's
 * own isolation; values are JSON with schemas, the one format with types that needs no registry.
 */
final class JdbcSink extends Peer.WithReplica {

  /** The system property that names the folder of Connect's plugins. */
  static final String PLUGINS_PROPERTY = "tidemark.bench.plugins";

  private static final List<String> CONNECT_MEMORY = List.of("-Xmx1g", "-XX:+UseG1GC");
  private static final int PARTITIONS = 4;
  private static final int TASKS = 2;
  private static final String CONVERTER = "org.apache.kafka.connect.json.JsonConverter";

  private final ChildProcess broker;
  private final ChildProcess connect;

  private JdbcSink(Path folder, Clusters clusters, ChildProcess broker, ChildProcess connect)
      throws SQLException {
    super(SystemKind.JDBC_SINK, folder, clusters, ReplicaTable.DOCUMENTS);
    this.broker = broker;
    this.connect = connect;
  }

  static JdbcSink start(Site site, Tuning tuning, int rows) throws Exception {
    Path folder = site.newFolder(SystemKind.JDBC_SINK.text());
    Clusters clusters = clusters(site, folder, rows);
    List<ChildProcess> processes = new ArrayList<>();
    try {
      try (Connection replica = clusters.connectReplica();
          Statement statement = replica.createStatement()) {
        statement.execute(Clusters.DOCUMENTS);
      }
      ChildProcess broker = Children.broker(site, folder);
      processes.add(broker);
      ChildProcess connect =
          connect(site, folder, clusters, tuning, rows, broker.command("address"));
      processes.add(connect);
      connect.command("state");
      JdbcSink started = new JdbcSink(folder, clusters, broker, connect);
      started.awaitStart(rows);
      return started;
    } catch (Exception e) {
      for (ChildProcess process : processes) {
        process.close();
      }
      clusters.close();
      throw e;
    }
  }

  private static ChildProcess connect(
      Site site, Path folder, Clusters clusters, Tuning tuning, int rows, String bootstrap)
      throws Exception {
    Map<String, String> worker = new TreeMap<>();
    worker.put("bootstrap.servers", bootstrap);
    worker.put("key.converter", CONVERTER);
    worker.put("value.converter", CONVERTER);
    worker.put("offset.storage.file.filename", folder.resolve("offsets").toString());
    worker.put("offset.flush.interval.ms", "1000");
    worker.put("plugin.path", plugins().toString());
    Map<String, String> source = DebeziumSettings.source(clusters, tuning, rows);
    source.put("topic.creation.default.replication.factor", "1");
    source.put("topic.creation.default.partitions", Integer.toString(PARTITIONS));
    if (tuning == Tuning.LATENCY) {
      source.put("producer.override.linger.ms", "0");
    }
    List<String> files = new ArrayList<>();
    for (Map<String, String> settings :
        List.of(worker, source, DebeziumSettings.sink(clusters, TASKS))) {
      Path file = folder.resolve(settings.getOrDefault("name", "worker") + ".properties");
      DebeziumSettings.write(settings, file);
      files.add(file.toString());
    }
    return ChildProcess.startTalking(
        site,
        Children.java(
            Children.classPathWithout("capture-", "debezium-"),
            CONNECT_MEMORY,
            ConnectProgram.class.getName(),
            files),
        folder.resolve("connect.log"));
  }

  private static Path plugins() {
    Path folder =
        Path.of(
            Objects.requireNonNull(
                System.getProperty(PLUGINS_PROPERTY),
                PLUGINS_PROPERTY + " names the folder of Connect's plugins; ./tidemark sets it"));
    if (!Files.isDirectory(folder)) {
      throw new BenchException(
          "no plugins of Kafka Connect in " + folder + ": Maven unpacks them there");
    }
    return folder;
  }

  @Override
  public void pause() throws IOException {
    connect.command("stop");
  }

  @Override
  public void resume() throws IOException {
    connect.command("resume");
  }

  @Override
  long processCpu() {
    return ProcessCpu.nanos(connect.pid()) + ProcessCpu.nanos(broker.pid());
  }

  @Override
  void stop() throws InterruptedException {
    try {
      connect.close();
    } finally {
      broker.close();
    }
  }
}
