package io.debezium.pipeline.source.spi;

import java.util.Map;
import org.apache.kafka.connect.data.Struct;

/**
 * Takes the place of Debezium's class of this name, which describes every event for JMX: with a new
 * JSON mapper for each, and with the row's key, which has no place in a metric. This one says
 * nothing.
 *
 * <p>It works since capture's own classes stand first on the class path. The decision and what
 * would change it: {@code docs/decisions/0015-what-debezium-is-spared.md}.
 */
public final class EventFormatter {

  /** Called by Debezium 3.6.1. */
  public EventFormatter() {}

  /** Not described. */
  public EventFormatter sourcePosition(Map<String, String> position) {
    return this;
  }

  /** Not described. */
  public EventFormatter key(Object key) {
    return this;
  }

  /** Not described. */
  public EventFormatter value(Struct value) {
    return this;
  }

  @Override
  public String toString() {
    return "";
  }
}
