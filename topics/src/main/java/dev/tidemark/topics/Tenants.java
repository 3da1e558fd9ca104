package dev.tidemark.topics;

import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.utils.Utils;

/** Where a tenant lives. */
public final class Tenants {

  /**
   * The tenant of every row of a route that names no tenant column: rows that all tenants share.
   * The gateway refuses a signed claim with this value.
   */
  public static final String SHARED = "*";

  private Tenants() {}

  /**
   * The partition of a tenant's changes in the log topic, by the hash that Kafka's own default
   * partitioner uses (murmur2 over the UTF-8 bytes), so that any Kafka client computes the same.
   *
   * @param partitions how many partitions the log topic has, 1 or more
   * @return 0 to {@code partitions - 1}
   */
  public static int partition(String tenant, int partitions) {
    return Utils.toPositive(Utils.murmur2(tenant.getBytes(StandardCharsets.UTF_8))) % partitions;
  }
}
