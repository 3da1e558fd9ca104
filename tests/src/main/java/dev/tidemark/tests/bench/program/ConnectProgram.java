package dev.tidemark.tests.bench.program;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.connect.connector.policy.AllConnectorClientConfigOverridePolicy;
import org.apache.kafka.connect.json.JsonConverter;
import org.apache.kafka.connect.runtime.Herder;
import org.apache.kafka.connect.runtime.Worker;
import org.apache.kafka.connect.runtime.isolation.Plugins;
import org.apache.kafka.connect.runtime.rest.entities.ConnectorInfo;
import org.apache.kafka.connect.runtime.rest.entities.ConnectorStateInfo;
import org.apache.kafka.connect.runtime.standalone.StandaloneConfig;
import org.apache.kafka.connect.runtime.standalone.StandaloneHerder;
import org.apache.kafka.connect.storage.FileOffsetBackingStore;
import org.apache.kafka.connect.util.FutureCallback;

/**
 * Kafka Connect's standalone worker, without its HTTP server. Its arguments are the worker's
 * properties and those of each connector, the source first. Commands: {@code stop} and {@code
 * resume} the source connector, {@code state} of all.
 */
public final class ConnectProgram {

  private static final long LIMIT_SECONDS = 60;

  private ConnectProgram() {}

  /** The entry of the JVM. */
  public static void main(String[] arguments) throws Exception {
    if (ConnectProgram.class.getResource("/dev/tidemark/capture/Capture.class") != null) {
      throw new IllegalStateException("capture is on Connect's class path");
    }
    Commands commands = new Commands();
    Map<String, String> settings = read(arguments[0]);
    Plugins plugins = new Plugins(settings);
    Thread.currentThread().setContextClassLoader(plugins.delegatingLoader());
    StandaloneConfig config = new StandaloneConfig(settings);
    FileOffsetBackingStore offsets =
        new FileOffsetBackingStore(
            plugins.newInternalConverter(
                true, JsonConverter.class.getName(), Map.of("schemas.enable", "false")));
    offsets.configure(config);
    AllConnectorClientConfigOverridePolicy overrides = new AllConnectorClientConfigOverridePolicy();
    Worker worker = new Worker("bench", Time.SYSTEM, plugins, config, offsets, overrides);
    StandaloneHerder herder = new StandaloneHerder(worker, config.kafkaClusterId(), overrides);
    herder.start();
    String source = "";
    for (int i = 1; i < arguments.length; i++) {
      Map<String, String> connector = read(arguments[i]);
      String name = connector.get("name");
      if (name == null) {
        throw new IllegalArgumentException(arguments[i] + " names no connector");
      }
      source = i == 1 ? name : source;
      var started = new FutureCallback<Herder.Created<ConnectorInfo>>();
      herder.putConnectorConfig(name, connector, false, started);
      started.get(LIMIT_SECONDS, TimeUnit.SECONDS);
    }
    String first = source;
    commands.serve(command -> obey(herder, first, command));
    herder.stop();
    System.exit(0);
  }

  private static String obey(StandaloneHerder herder, String source, String command)
      throws Exception {
    switch (command) {
      case "stop" -> {
        FutureCallback<Void> stopped = new FutureCallback<>();
        herder.stopConnector(source, stopped);
        stopped.get(LIMIT_SECONDS, TimeUnit.SECONDS);
      }
      case "resume" -> herder.resumeConnector(source);
      case "state" -> {
        for (String connector : herder.connectors()) {
          ConnectorStateInfo state = herder.connectorStatus(connector);
          for (ConnectorStateInfo.TaskState task : state.tasks()) {
            if (task.state().equals("FAILED")) {
              return "failed " + connector + ": " + task.trace().lines().findFirst().orElse("");
            }
          }
        }
      }
      default -> throw new IllegalArgumentException("unknown command " + command);
    }
    return "done";
  }

  private static Map<String, String> read(String file) throws IOException {
    Properties properties = new Properties();
    try (var reader = Files.newBufferedReader(Path.of(file))) {
      properties.load(reader);
    }
    Map<String, String> settings = new HashMap<>();
    properties.forEach((key, value) -> settings.put((String) key, (String) value));
    return settings;
  }
}
