package dev.tidemark.topics;

/**
 * The names of a pipeline's Kafka topics and consumer groups: the one place where they are made.
 */
public record TopicNames(String pipeline) {

  /** The largest record of any of these topics, in bytes; a single source row must fit. */
  public static final int MAX_RECORD_BYTES = 64 << 20;

  /** The ordered log: one record per source transaction and partition. */
  public String log() {
    return "tidemark." + pipeline + ".log";
  }

  /** Capture's offsets and the pipeline's generation; compacted, one partition. */
  public String offsets() {
    return "tidemark." + pipeline + ".offsets";
  }

  /**
   * The change events of one source table, for analytics.
   *
   * <p>Kafka allows letters, digits, dot, underscore and hyphen. Here a dot separates, and every
   * byte of the UTF-8 form that is not a letter, digit or underscore becomes {@code -xx} (two
   * lower-case hexadecimal digits), so that two tables never share a topic.
   */
  public String table(String schema, String table) {
    return "tidemark." + pipeline + ".table." + escape(schema) + "." + escape(table);
  }

  /** The changes that were set aside since they could not be written to a replica table. */
  public String quarantine() {
    return "tidemark." + pipeline + ".quarantine";
  }

  /** The application id, and so the consumer group, of the topology that writes replica tables. */
  public String replicaApplication() {
    return "tidemark." + pipeline + ".replica";
  }

  /** The application id of the topology that writes table topics. */
  public String tablesApplication() {
    return "tidemark." + pipeline + ".tables";
  }

  /** The consumer group whose one member reads the slot. */
  public String captureGroup() {
    return "tidemark." + pipeline + ".capture";
  }

  private static String escape(String identifier) {
    StringBuilder out = new StringBuilder(identifier.length());
    for (byte b : identifier.getBytes(java.nio.charset.StandardCharsets.UTF_8)) {
      char c = (char) (b & 0xFF);
      boolean plain =
          c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_';
      if (plain) {
        out.append(c);
      } else {
        out.append('-').append(String.format("%02x", b & 0xFF));
      }
    }
    return out.toString();
  }
}
