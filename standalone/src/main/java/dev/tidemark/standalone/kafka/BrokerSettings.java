package dev.tidemark.standalone.kafka;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** The embedded broker's settings: one node, loopback, a small footprint. */
final class BrokerSettings {

  static final int NODE_ID = 1;
  static final String CONTROLLER_LISTENER = "CONTROLLER";

  private static final int MEGABYTE = 1024 * 1024;

  /** Log records are cut into chunks below this. */
  private static final int MESSAGE_MAX_BYTES = 8 * MEGABYTE;

  private BrokerSettings() {}

  static Map<String, String> of(Path log, int port, int controllerPort) {
    Map<String, String> settings = new HashMap<>();
    settings.put("process.roles", "broker,controller");
    settings.put("node.id", Integer.toString(NODE_ID));
    settings.put("controller.quorum.voters", NODE_ID + "@127.0.0.1:" + controllerPort);
    settings.put(
        "listeners",
        "BROKER://127.0.0.1:"
            + port
            + ","
            + CONTROLLER_LISTENER
            + "://127.0.0.1:"
            + controllerPort);
    settings.put("advertised.listeners", "BROKER://127.0.0.1:" + port);
    settings.put("inter.broker.listener.name", "BROKER");
    settings.put("controller.listener.names", CONTROLLER_LISTENER);
    settings.put(
        "listener.security.protocol.map", "BROKER:PLAINTEXT," + CONTROLLER_LISTENER + ":PLAINTEXT");
    settings.put("log.dirs", log.toString());
    oneNode(settings);
    smallFootprint(settings);
    return settings;
  }

  private static void oneNode(Map<String, String> settings) {
    for (String topic : new String[] {"offsets.topic", "transaction.state.log"}) {
      settings.put(topic + ".replication.factor", "1");
      settings.put(topic + ".num.partitions", "4");
    }
    settings.put("transaction.state.log.min.isr", "1");
    settings.put("share.coordinator.state.topic.replication.factor", "1");
    settings.put("share.coordinator.state.topic.min.isr", "1");
    settings.put("share.coordinator.state.topic.num.partitions", "1");
    // Alone, a node needs no time to find out who leads.
    settings.put("controller.quorum.election.timeout.ms", "100");
    // After a kill -9 the broker is let in again when its former session has timed out.
    settings.put("broker.session.timeout.ms", "3000");
    settings.put("broker.heartbeat.interval.ms", "1000");
    // Twice a second by default the controller writes a record, so that others see that it lives.
    settings.put("metadata.max.idle.interval.ms", "10000");
    settings.put("auto.create.topics.enable", "false");
    settings.put("group.initial.rebalance.delay.ms", "0");
    settings.put("message.max.bytes", Integer.toString(MESSAGE_MAX_BYTES));
    settings.put("log.retention.hours", "168");
  }

  private static void smallFootprint(Map<String, String> settings) {
    settings.put("log.segment.bytes", Integer.toString(128 * MEGABYTE));
    settings.put("offsets.topic.segment.bytes", Integer.toString(16 * MEGABYTE));
    settings.put("transaction.state.log.segment.bytes", Integer.toString(16 * MEGABYTE));
    settings.put("log.index.size.max.bytes", Integer.toString(MEGABYTE));
    // The default, 128 MB of heap, is there from the start.
    settings.put("log.cleaner.dedupe.buffer.size", Integer.toString(8 * MEGABYTE));
    settings.put("num.network.threads", "2");
    settings.put("num.io.threads", "4");
    settings.put("background.threads", "2");
  }
}
