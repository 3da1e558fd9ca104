package dev.tidemark.gateway.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.topics.Lsn;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SyncStatusTest {

  private static final SlotState SLOT =
      new SlotState("s", true, "0/1", "0/2", 4096L, "reserved", "one");

  @Test
  void takesTheSlowestPartitionAndTheLastTransactionsLag() {
    SyncStatus status =
        new SyncStatus(
            List.of(
                state(0, "A/0", 900L, "2026-01-01 00:00:00+00", true),
                state(1, "9/FFFFFFFF", 7L, "2026-01-02 00:00:00+00", true)),
            Optional.of(Lsn.parse("A/10")),
            Optional.of(SLOT));

    assertThat(status.replicated()).isEqualTo(Lsn.parse("9/FFFFFFFF"));
    assertThat(status.lagMs()).contains(7L);
    assertThat(status.workerReporting()).isTrue();
    assertThat(json(status))
        .startsWith(
            "{\"replicatedLsn\":\"9/FFFFFFFF\",\"currentLsn\":\"A/10\",\"bytesBehind\":17,"
                + "\"lagMs\":7,\"workerReporting\":true,\"generation\":1,\"history\":\"h1\",\"leader\":\"one\","
                + "\"snapshot\":{\"complete\":true,\"rows\":10}")
        .endsWith(
            "\"slot\":{\"name\":\"s\",\"active\":true,\"restartLsn\":\"0/1\","
                + "\"confirmedFlushLsn\":\"0/2\",\"retainedBytes\":4096,"
                + "\"walStatus\":\"reserved\"}}");
  }

  @Test
  void saysWhenOnePartitionDoesNotReport() {
    SyncStatus status =
        new SyncStatus(
            List.of(state(0, "0/1", null, null, true), state(1, "0/1", null, null, false)),
            Optional.of(Lsn.parse("0/0")),
            Optional.empty());

    assertThat(status.workerReporting()).isFalse();
    assertThat(json(status)).contains("\"bytesBehind\":0").contains("\"slot\":null");
  }

  @Test
  void staysWholeWithoutPartitionsAndWithoutTheSource() {
    SyncStatus status = new SyncStatus(List.of(), Optional.empty(), Optional.empty());

    assertThat(json(status))
        .isEqualTo(
            "{\"replicatedLsn\":\"0/0\",\"currentLsn\":null,\"bytesBehind\":null,\"lagMs\":null,"
                + "\"workerReporting\":false,\"generation\":0,\"history\":\"\",\"leader\":null,"
                + "\"snapshot\":{\"complete\":false,\"rows\":0},\"partitions\":[],"
                + "\"slot\":null}");
  }

  private static String json(SyncStatus status) {
    return new String(status.json(false), StandardCharsets.UTF_8);
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
