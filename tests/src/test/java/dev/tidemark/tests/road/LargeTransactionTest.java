package dev.tidemark.tests.road;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tidemark.standalone.client.Answer;
import dev.tidemark.standalone.client.GatewayClient;
import dev.tidemark.standalone.data.TemporaryFolder;
import dev.tidemark.tests.prove.system.Database;
import dev.tidemark.tests.prove.system.RoleProcess;
import dev.tidemark.tests.prove.system.Schema;
import dev.tidemark.tests.prove.system.Tidemark;
import dev.tidemark.topics.Tenants;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A transaction that fits into no role's memory: each role has a heap of 256 MB. The number of its
 * rows is the property {@code tidemark.tests.rows}.
 *
 * @see <a href="https://github.com/Trendyol/go-pq-cdc/pull/166">B32: big transaction with a
 *     rolled-back savepoint</a>
 */
class LargeTransactionTest {

  private static final int ROWS = Integer.getInteger("tidemark.tests.rows", 60_000);
  private static final Duration LIMIT = Duration.ofMinutes(10);
  private static final String QUIET = "quiet";
  private static final int BUSY_TENANTS = 100;

  /** Tenants of every partition but that of {@link #QUIET}. */
  private static final List<String> BUSY =
      IntStream.iterate(0, i -> i + 1)
          .mapToObj(i -> "busy-" + i)
          .filter(tenant -> partition(tenant) != partition(QUIET))
          .limit(BUSY_TENANTS)
          .toList();

  @TempDir private Path logs = Path.of("");

  private static int partition(String tenant) {
    return Tenants.partition(tenant, Schema.PARTITIONS);
  }

  private static String one(Database database, String sql) throws SQLException {
    return database.query(sql).getFirst();
  }

  @Test
  void b32ALargeTransactionIsVisibleAllTogetherAndDelaysNoOtherPartition() throws Exception {
    try (Tidemark tidemark = Tidemark.start(TemporaryFolder.create("tidemark-large").path(), logs);
        GatewayClient client =
            new GatewayClient(tidemark.gatewayUrl(), tidemark.issuer(), QUIET, List.of("care"));
        GatewayClient busy =
            new GatewayClient(
                tidemark.gatewayUrl(), tidemark.issuer(), BUSY.getFirst(), List.of("care"))) {
      written(client, "before");
      String begun = one(tidemark.source(), "select pg_current_wal_insert_lsn()::text");
      tidemark
          .source()
          .run(
              """
              do $$
              declare tenants text[] := '{%s}';
              begin
                insert into bulk (tenant_id, id, grp, version, owner, note)
                  select tenants[1 + i %% %d], i, 'g', 1, 'o', repeat('x', 150) from generate_series(1, %d) i;
                begin
                  insert into bulk (tenant_id, id, grp, version, owner, note)
                    select tenants[1], 'aborted-' || i, 'g', 1, 'o', '' from generate_series(1, 500) i;
                  raise exception 'rolled back';
                exception when raise_exception then null;
                end;
              end $$"""
                  .formatted(String.join(",", BUSY), BUSY_TENANTS, ROWS));
      String large = one(tidemark.source(), "select pg_current_wal_insert_lsn()::text");
      assertThat(begun).isNotEqualTo(large);

      Answer early = get(busy, large, "wait=0");
      CompletableFuture<Void> watching = CompletableFuture.runAsync(() -> watch(tidemark, large));
      written(client, "meanwhile");

      assertThat(early.status()).isIn(200, 202);
      finished(watching);
      assertThat(one(tidemark.replica(), "select count(*) from prove_bulk"))
          .isEqualTo(Integer.toString(ROWS));
      assertThat(get(busy, large, "wait=20").status()).isEqualTo(200);
      for (RoleProcess role : tidemark.captures()) {
        assertThat(role.isAlive()).isTrue();
      }
      for (RoleProcess role : tidemark.projectors()) {
        assertThat(role.isAlive()).isTrue();
      }
    }
  }

  private static Answer get(GatewayClient client, String lsn, String wait) throws Exception {
    return client.get(
        "/api/replica/prove_bulk?limit=1", Map.of("X-Required-LSN", lsn, "Prefer", wait));
  }

  /** A write of the quiet tenant can be read with its token. */
  private static void written(GatewayClient client, String name) throws Exception {
    Answer put = client.put("/api/doc/Item/" + name, "{\"version\":1}");
    assertThat(put.status()).isEqualTo(201);
    await()
        .atMost(LIMIT)
        .until(
            () ->
                client
                    .get(
                        "/api/replica/prove_doc?name=" + name,
                        Map.of("X-Required-LSN", put.header("X-Tx-LSN"), "Prefer", "wait=5"))
                    .status(),
            status -> status == 200);
  }

  /** Until the transaction is there: each partition has all of its rows, or none. */
  private static void watch(Tidemark tidemark, String large) {
    await()
        .atMost(LIMIT)
        .pollInterval(Duration.ofMillis(200))
        .until(
            () -> {
              String tenants =
                  one(
                      tidemark.replica(),
                      "select coalesce(string_agg(tenant_id || ' ' || n, ',' order by tenant_id), '')"
                          + " from (select tenant_id, count(*) n from prove_bulk group by 1) t");
              Map<Integer, Long> shown =
                  tenants.isEmpty()
                      ? Map.of()
                      : List.of(tenants.split(",")).stream()
                          .map(entry -> entry.split(" "))
                          .collect(
                              java.util.stream.Collectors.groupingBy(
                                  entry -> partition(entry[0]),
                                  java.util.stream.Collectors.summingLong(
                                      entry -> Long.parseLong(entry[1]))));
              shown.forEach(
                  (partition, count) ->
                      assertThat(count)
                          .as("partition " + partition)
                          .isEqualTo(expected(partition)));
              return one(
                      tidemark.replica(),
                      "select min(lsn) >= '" + large + "' from tidemark_watermark")
                  .equals("t");
            });
  }

  private static long expected(int partition) {
    return IntStream.rangeClosed(1, ROWS)
        .filter(i -> partition(BUSY.get(i % BUSY_TENANTS)) == partition)
        .count();
  }

  private static void finished(CompletableFuture<Void> watching) throws Exception {
    try {
      watching.get();
    } catch (ExecutionException e) {
      throw new AssertionError("while the transaction was on its way", e.getCause());
    }
  }
}
