package dev.tidemark.topics;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.apache.kafka.clients.producer.internals.BuiltInPartitioner;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TenantsTest {

  @ParameterizedTest
  @ValueSource(strings = {"acme", "globex", "*", "", "ümlaut", "a tenant with spaces"})
  void partitionIsKafkasOwn(String tenant) {
    byte[] key = tenant.getBytes(StandardCharsets.UTF_8);

    for (int partitions : new int[] {1, 4, 7, 1024}) {
      assertThat(Tenants.partition(tenant, partitions))
          .isEqualTo(BuiltInPartitioner.partitionForKey(key, partitions))
          .isBetween(0, partitions - 1);
    }
  }
}
