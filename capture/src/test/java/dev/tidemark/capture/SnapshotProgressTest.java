package dev.tidemark.capture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.topics.route.TableName;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class SnapshotProgressTest {

  private static final TableName HUB = new TableName("public", "hub");
  private static final TableName LEG = new TableName("public", "leg");

  private final SnapshotProgress progress = new SnapshotProgress(0);

  private static long seconds(int seconds) {
    return Duration.ofSeconds(seconds).toNanos();
  }

  @Test
  void saysRowsRateAndTableEveryThreeSeconds() {
    assertThat(progress.row(HUB, seconds(1))).isEmpty();
    assertThat(progress.row(HUB, seconds(2))).isEmpty();
    assertThat(progress.row(LEG, seconds(3))).contains("snapshot rows=3 rows/s=1 table=public.leg");
    assertThat(progress.row(LEG, seconds(5))).isEmpty();
    assertThat(progress.row(LEG, seconds(7))).contains("snapshot rows=5 rows/s=1 table=public.leg");
    assertThat(progress.end(seconds(10)))
        .isEqualTo("snapshot complete rows=5 rows/s=1 last table=public.leg");
  }

  @Test
  void aSnapshotWithoutRowsEndsToo() {
    assertThat(progress.end(1)).isEqualTo("snapshot complete rows=0 rows/s=0 last table=none");
  }
}
