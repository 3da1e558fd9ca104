package dev.tidemark.gateway.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.topics.Lsn;
import dev.tidemark.topics.route.DocumentRoute;
import dev.tidemark.topics.route.Route;
import dev.tidemark.topics.route.TableName;
import dev.tidemark.topics.route.TableRoute;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SyncStatusTest {

  private static final SlotState SLOT =
      new SlotState("s", true, "0/1", "0/2", 4096L, 1 << 30, 5L << 20, "reserved", "one");

  private static final Route ROUTE = new DocumentRoute("Waybill", "replica_waybill", List.of());

  @Test
  void takesTheSlowestPartitionAndTheLastTransactionsLag() {
    SyncStatus status =
        new SyncStatus(
            List.of(
                state(0, "A/0", 900L, "2026-01-01 00:00:00+00", true),
                state(1, "9/FFFFFFFF", 7L, "2026-01-02 00:00:00+00", true)),
            Optional.of(Lsn.parse("A/10")),
            Optional.of(SLOT),
            List.of(new RouteState(ROUTE, 2, 2)),
            Optional.of(12.5),
            Map.of("projector", true, "capture", false));

    assertThat(status.replicated()).isEqualTo(Lsn.parse("9/FFFFFFFF"));
    assertThat(status.lagMs()).contains(7L);
    assertThat(status.workerReporting()).isTrue();
    assertThat(json(status))
        .startsWith(
            "{\"replicatedLsn\":\"9/FFFFFFFF\",\"currentLsn\":\"A/10\",\"bytesBehind\":17,"
                + "\"lagMs\":7,\"eventsPerSecond\":12.5,\"workerReporting\":true,\"generation\":1,\"history\":\"h1\",\"leader\":\"one\","
                + "\"snapshot\":{\"complete\":true,\"rows\":10}")
        .endsWith(
            "\"slot\":{\"name\":\"s\",\"active\":true,\"restartLsn\":\"0/1\","
                + "\"confirmedFlushLsn\":\"0/2\",\"retainedBytes\":4096,"
                + "\"limitBytes\":1073741824,\"safeBytes\":5242880,\"walStatus\":\"reserved\"},"
                + "\"routes\":[{\"target\":\"replica_waybill\",\"doctype\":\"Waybill\",\"ready\":true,"
                + "\"readyPartitions\":2,\"partitions\":2}],"
                + "\"paused\":{\"capture\":false,\"projector\":true}}");
  }

  @Test
  void saysWhenOnePartitionDoesNotReport() {
    SyncStatus status =
        new SyncStatus(
            List.of(state(0, "0/1", null, null, true), state(1, "0/1", null, null, false)),
            Optional.of(Lsn.parse("0/0")),
            Optional.empty(),
            List.of(),
            Optional.empty(),
            Map.of());

    assertThat(status.workerReporting()).isFalse();
    assertThat(json(status)).contains("\"bytesBehind\":0").contains("\"slot\":null");
  }

  @Test
  void staysWholeWithoutPartitionsAndWithoutTheSource() {
    SyncStatus status =
        new SyncStatus(
            List.of(), Optional.empty(), Optional.empty(), List.of(), Optional.empty(), Map.of());

    assertThat(json(status))
        .isEqualTo(
            "{\"replicatedLsn\":\"0/0\",\"currentLsn\":null,\"bytesBehind\":null,\"lagMs\":null,"
                + "\"eventsPerSecond\":null,"
                + "\"workerReporting\":false,\"generation\":0,\"history\":\"\",\"leader\":null,"
                + "\"snapshot\":{\"complete\":false,\"rows\":0},\"partitions\":[],"
                + "\"slot\":null,\"routes\":[],\"paused\":{}}");
  }

  @Test
  void aRouteIsReadyWhenAllPartitionsAre() {
    Route table =
        new TableRoute(
            new TableName("public", "hub"),
            Optional.of("tenant_id"),
            List.of(),
            "replica_hub",
            List.of());

    assertThat(new RouteState(table, 3, 4).json())
        .isEqualTo(
            "{\"target\":\"replica_hub\",\"table\":\"public.hub\",\"ready\":false,"
                + "\"readyPartitions\":3,\"partitions\":4}");
  }

  private static String json(SyncStatus status) {
    return status.json(false);
  }

  private static PartitionState state(
      int partition,
      String lsn,
      @Nullable Long lag,
      @Nullable String commitTime,
      boolean reporting) {
    return new PartitionState(
        partition,
        1,
        "h1",
        Lsn.parse(lsn),
        3,
        lag,
        commitTime,
        "2026-01-01 00:00:00+00",
        reporting,
        null,
        null,
        0,
        5);
  }
}
