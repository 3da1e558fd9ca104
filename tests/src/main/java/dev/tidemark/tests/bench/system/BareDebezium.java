package dev.tidemark.tests.bench.system;

import dev.tidemark.standalone.EmbeddedServers;
import dev.tidemark.standalone.data.TemporaryFolder;
import dev.tidemark.standalone.postgres.EmbeddedPostgres;
import dev.tidemark.tests.bench.debezium.DebeziumProgram;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/**
 * Debezium's embedded engine, with its own classes, in a JVM of its own, and a consumer that does
 * nothing: visible is what the consumer has been given. There is no replica.
 */
public final class BareDebezium implements Contender {

  /** As the results name it. */
  public static final String NAME = "bare Debezium";

  private static final String PASSWORD = "bench-bench";
  private static final Duration POLL = Duration.ofMillis(50);
  private static final Duration START_LIMIT = Duration.ofMinutes(2);
  private static final List<String> MEMORY = List.of("-Xmx1g", "-XX:+UseG1GC");

  /** What the settings are chosen for. */
  public enum Tuning {
    /**
     * Debezium's own defaults: up to 2,048 events a batch, 8,192 in the queue, half a second of
     * poll interval.
     */
    THROUGHPUT(Map.of()),
    /**
     * The queue waits for a full batch or this interval. Shorter makes both the latency and the CPU
     * time worse.
     */
    LATENCY(Map.of("poll.interval.ms", "2"));

    private final Map<String, String> settings;

    Tuning(Map<String, String> settings) {
      this.settings = settings;
    }
  }

  private final Path folder;
  private final Clusters clusters;
  private final ChildProcess process;

  private BareDebezium(Path folder, Clusters clusters, ChildProcess process) {
    this.folder = folder;
    this.clusters = clusters;
    this.process = process;
  }

  /** Starts it on an empty source; returns when it streams. */
  public static BareDebezium start(Site site, Tuning tuning) throws Exception {
    BareDebezium started = prepare(site, tuning, "no_data");
    try {
      started.resume();
      started.awaitStream();
      return started;
    } catch (Exception e) {
      started.close();
      throw e;
    }
  }

  private static BareDebezium prepare(Site site, Tuning tuning, String snapshotMode)
      throws Exception {
    Path folder = site.newFolder(NAME);
    Clusters clusters = Clusters.start(folder, PASSWORD);
    try {
      try (Connection source = clusters.connectSource();
          Statement statement = source.createStatement()) {
        statement.execute(Clusters.DOCUMENTS);
        statement.execute("create publication bench for table tidemark_doc");
      }
      Path file = folder.resolve("engine.properties");
      try (Writer writer = Files.newBufferedWriter(file)) {
        settings(clusters, folder, tuning, snapshotMode).store(writer, null);
      }
      return new BareDebezium(
          folder,
          clusters,
          ChildProcess.startTalking(
              Children.java(
                  Children.classPathWithoutCapture(),
                  MEMORY,
                  DebeziumProgram.class.getName(),
                  List.of(file.toString())),
              folder.resolve("engine.log")));
    } catch (Exception e) {
      clusters.close();
      throw e;
    }
  }

  private static Properties settings(
      Clusters clusters, Path folder, Tuning tuning, String snapshotMode) {
    Properties p = new Properties();
    p.setProperty("name", "bench");
    p.setProperty("connector.class", "io.debezium.connector.postgresql.PostgresConnector");
    p.setProperty("topic.prefix", "bench");
    p.setProperty("database.hostname", "127.0.0.1");
    p.setProperty("database.port", Integer.toString(clusters.source().port()));
    p.setProperty("database.dbname", EmbeddedServers.SOURCE);
    p.setProperty("database.user", EmbeddedPostgres.SUPERUSER);
    p.setProperty("database.password", PASSWORD);
    p.setProperty("plugin.name", "pgoutput");
    p.setProperty("slot.name", "bench");
    p.setProperty("publication.name", "bench");
    p.setProperty("publication.autocreate.mode", "disabled");
    p.setProperty("table.include.list", "public.tidemark_doc");
    p.setProperty("snapshot.mode", snapshotMode);
    p.setProperty("offset.storage", "org.apache.kafka.connect.storage.FileOffsetBackingStore");
    p.setProperty("offset.storage.file.filename", folder.resolve("offsets").toString());
    p.setProperty("offset.flush.interval.ms", "1000");
    tuning.settings.forEach(p::setProperty);
    return p;
  }

  /** Writes until something comes, since nothing else tells that the engine streams. */
  private void awaitStream() throws Exception {
    long deadline = System.nanoTime() + START_LIMIT.toNanos();
    try (Connection source = source();
        Statement statement = source.createStatement()) {
      for (int i = 0; seen()[0] == 0; i++) {
        if (System.nanoTime() - deadline > 0) {
          throw new BenchException(
              "the bare Debezium streams nothing; its log is " + process.log());
        }
        statement.execute(
            "insert into tidemark_doc values ('t', 'Waybill', 'hello-"
                + i
                + "', '{}', 1, now(), now())");
        Thread.sleep(POLL);
      }
      statement.execute("truncate tidemark_doc");
    }
  }

  /** How many rows came since the count began, and when the last did. */
  private long[] seen() throws IOException {
    String[] words = process.ask("seen").split(" ");
    if (words[0].equals("failed")) {
      throw new BenchException("the bare Debezium failed; its log is " + process.log());
    }
    return new long[] {Long.parseLong(words[0]), Long.parseLong(words[1])};
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Connection source() throws SQLException {
    return clusters.connectSource();
  }

  @Override
  public void pause() throws IOException {
    process.ask("stop");
    process.ask("count");
  }

  @Override
  public void resume() throws IOException {
    process.ask("start");
  }

  @Override
  public Map<String, Long> arrivals(String prefix) throws IOException {
    Map<String, Long> arrivals = new HashMap<>();
    for (String each : process.ask("arrivals").split(" ")) {
      String[] words = each.split("\t");
      if (words[0].startsWith(prefix)) {
        arrivals.put(words[0], Long.parseLong(words[1]));
      }
    }
    return arrivals;
  }

  @Override
  public long awaitAll(Fill fill, Duration limit) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + limit.toNanos();
    long[] seen = seen();
    while (seen[0] < fill.rows()) {
      if (System.nanoTime() - deadline > 0) {
        throw new BenchException(
            "%s was given %d of %d documents after %s"
                .formatted(NAME, seen[0], fill.rows(), limit));
      }
      Thread.sleep(POLL);
      seen = seen();
    }
    return seen[1];
  }

  @Override
  public void clear() throws IOException {
    process.ask("names");
  }

  @Override
  public Cpu cpu() throws IOException {
    return new Cpu(ProcessCpu.nanos(process.pid()), clusters.sourceCpu(), 0);
  }

  @Override
  public void close() throws Exception {
    process.close();
    clusters.close();
    TemporaryFolder.deleteRecursively(folder);
  }
}
