package dev.tidemark.tests.bench.system;

import dev.tidemark.tests.bench.program.DebeziumProgram;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Debezium's embedded engine, with its own classes, in a JVM of its own, and a consumer that does
 * nothing: visible is what the consumer has been given. Its replica stays empty.
 */
final class BareDebezium extends Peer {

  private static final Duration POLL = Duration.ofMillis(50);
  private static final List<String> MEMORY = List.of("-Xmx1g", "-XX:+UseG1GC");

  private final ChildProcess process;

  private BareDebezium(Path folder, Clusters clusters, ChildProcess process) {
    super(SystemKind.DEBEZIUM, folder, clusters);
    this.process = process;
  }

  static BareDebezium start(Site site, Tuning tuning, int rows) throws Exception {
    Path folder = site.newFolder(SystemKind.DEBEZIUM.text());
    Clusters clusters = clusters(site, folder, rows);
    try {
      Map<String, String> settings = DebeziumSettings.source(clusters, tuning, rows);
      settings.put("offset.storage", "org.apache.kafka.connect.storage.FileOffsetBackingStore");
      settings.put("offset.storage.file.filename", folder.resolve("offsets").toString());
      settings.put("offset.flush.interval.ms", "1000");
      Path file = folder.resolve("engine.properties");
      DebeziumSettings.write(settings, file);
      ChildProcess process =
          ChildProcess.startTalking(
              site,
              Children.java(
                  Children.classPathWithout("capture-"),
                  MEMORY,
                  DebeziumProgram.class.getName(),
                  List.of(file.toString())),
              folder.resolve("engine.log"));
      BareDebezium started = new BareDebezium(folder, clusters, process);
      process.command(rows == 0 ? "names" : "count");
      started.resume();
      started.awaitStart(rows);
      return started;
    } catch (Exception e) {
      clusters.close();
      throw e;
    }
  }

  /** How many rows came since the count began, and when the last did. */
  private long[] seen() throws IOException {
    String[] words = process.command("seen").split(" ");
    return new long[] {Long.parseLong(words[0]), Long.parseLong(words[1])};
  }

  @Override
  boolean hasArrived(String name) throws IOException {
    return arrivals(name).containsKey(name);
  }

  @Override
  public void pause() throws IOException {
    process.command("stop");
    process.command("count");
  }

  @Override
  public void resume() throws IOException {
    process.command("start");
  }

  @Override
  public Map<String, Long> arrivals(String prefix) throws IOException {
    Map<String, Long> arrivals = new HashMap<>();
    for (String each : process.command("arrivals").split(" ")) {
      String[] words = each.split("\t");
      if (words.length == 2 && words[0].startsWith(prefix)) {
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
                .formatted(name(), seen[0], fill.rows(), limit));
      }
      Thread.sleep(POLL);
      seen = seen();
    }
    return seen[1];
  }

  @Override
  public void clear() throws IOException {
    process.command("names");
  }

  @Override
  long processCpu() {
    return ProcessCpu.nanos(process.pid());
  }

  @Override
  void stop() throws InterruptedException {
    process.close();
  }
}
