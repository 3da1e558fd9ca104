package dev.tidemark.gateway.ops;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.gateway.RoleReport;
import dev.tidemark.gateway.sync.PartitionState;
import dev.tidemark.topics.Lsn;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class HealthTest {

  private static PartitionState state(int partition, boolean reporting, @Nullable String stopped) {
    return new PartitionState(
        partition,
        1,
        "h1",
        Lsn.ZERO,
        0,
        null,
        null,
        "2026-01-01 00:00:00+00",
        reporting,
        stopped,
        null,
        0,
        0);
  }

  @Test
  void watermarksAreUpWhileAllProjectorsReport() {
    assertThat(Health.judge(List.of(state(0, true, null), state(1, true, null))))
        .isEqualTo(RoleReport.State.working());
  }

  @Test
  void watermarksAreDownWhenAProjectorIsSilentAndTheReasonNamesThePartition() {
    RoleReport.State judged =
        Health.judge(List.of(state(0, true, null), state(1, false, null), state(2, false, null)));

    assertThat(judged.up()).isFalse();
    assertThat(judged.reason()).contains("no projector has reported for 70 s on partition 1, 2");
  }

  @Test
  void bothReasonsAreTold() {
    RoleReport.State judged =
        Health.judge(List.of(state(0, true, "a bad value"), state(1, false, null)));

    assertThat(judged.reason())
        .contains("stopped: partition 0 at a bad value")
        .contains("partition 1");
  }
}
