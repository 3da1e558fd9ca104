package dev.tidemark.standalone.kafka;

import dev.tidemark.standalone.data.InstallationException;
import dev.tidemark.standalone.data.Ports;
import dev.tidemark.standalone.data.PrivateFiles;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.server.common.Feature;
import org.apache.kafka.server.common.MetadataVersion;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A Kafka cluster of one node, broker and controller in one, inside this JVM, on loopback ports
 * that stay the same over restarts as long as they are free. Its data survives a kill -9 of the
 * JVM: what a producer had acknowledged is in the operating system's page cache by then (and not
 * necessarily on the disk, so a power cut may lose it, as with any Kafka of one node).
 *
 * <p>Only one object at a time may serve a folder; Kafka's own lock file refuses a second one.
 */
public final class EmbeddedKafka implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(EmbeddedKafka.class);

  private final KafkaRaftServer server;
  private final int port;

  private EmbeddedKafka(KafkaRaftServer server, int port) {
    this.server = server;
    this.port = port;
  }

  /**
   * Formats the folder when it is new, and starts the broker; returns when it takes requests.
   *
   * @throws InstallationException when it does not start
   */
  public static EmbeddedKafka start(Path folder) throws IOException {
    long began = System.nanoTime();
    Path root = PrivateFiles.createFolder(folder).toRealPath();
    Path log = root.resolve("log");
    if (!Files.exists(log)) {
      format(root, log);
    }
    int port = Ports.remembered(root.resolve("port"));
    int controllerPort = Ports.remembered(root.resolve("controller-port"));
    KafkaRaftServer server =
        new KafkaRaftServer(
            new KafkaConfig(BrokerSettings.of(log, port, controllerPort), false), Time.SYSTEM);
    try {
      server.startup();
    } catch (RuntimeException e) {
      server.shutdown();
      throw new InstallationException(
          "the Kafka broker in " + root + " did not start: " + e.getMessage(), e);
    }
    LOG.info(
        "kafka started folder={} port={} ms={}",
        root,
        port,
        Duration.ofNanos(System.nanoTime() - began).toMillis());
    return new EmbeddedKafka(server, port);
  }

  /** Formats beside the log folder and renames, so that a kill leaves no half-formatted one. */
  private static void format(Path root, Path log) throws IOException {
    Path unfinished = Files.createTempDirectory(root, "new-");
    try {
      new Formatter()
          .setPrintStream(
              new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8))
          .setNodeId(BrokerSettings.NODE_ID)
          .setClusterId(Uuid.randomUuid().toString())
          .setReleaseVersion(MetadataVersion.latestProduction())
          .setSupportedFeatures(Feature.PRODUCTION_FEATURES)
          .setControllerListenerName(BrokerSettings.CONTROLLER_LISTENER)
          .setDirectories(List.of(unfinished.toString()))
          .setMetadataLogDirectory(unfinished.toString())
          .run();
    } catch (Exception e) {
      throw new IOException("Kafka's storage in " + root + " could not be formatted", e);
    }
    Files.move(unfinished, log, StandardCopyOption.ATOMIC_MOVE);
  }

  /** {@code host:port} for clients. */
  public String bootstrapServers() {
    return "127.0.0.1:" + port;
  }

  /** Stops the broker in order, and waits for it. */
  @Override
  public void close() {
    server.shutdown();
    server.awaitShutdown();
  }
}
