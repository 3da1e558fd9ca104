package dev.tidemark.gateway.replica;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.gateway.replica.Gate.Decision;
import dev.tidemark.topics.Lsn;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class GateTest {

  private static final Gate.Sight AT_A = new Gate.Sight(Lsn.parse("A/0"), 1, "h1", true);

  @Test
  void opensWhenNothingIsDemanded() {
    assertThat(decide(AT_A, demand(null, null))).isEqualTo(Decision.OPEN);
  }

  @Test
  void opensAtThePositionAndStaysShutBelow() {
    assertThat(decide(AT_A, demand("A/0", null))).isEqualTo(Decision.OPEN);
    assertThat(decide(AT_A, demand("A/1", null))).isEqualTo(Decision.PENDING);
  }

  @Test
  void b24ComparesWithoutSignAndAsNumbers() {
    assertThat(decide(AT_A, demand("9/FFFFFFFF", null))).isEqualTo(Decision.OPEN);
    assertThat(decide(AT_A, demand("80000000/0", null))).isEqualTo(Decision.PENDING);
    Gate.Sight upper = new Gate.Sight(Lsn.parse("FFFFFFFF/0"), 1, "h1", true);
    assertThat(decide(upper, demand("1/0", null))).isEqualTo(Decision.OPEN);
  }

  @Test
  void staysShutWhileTheTableIsNotComplete() {
    Gate.Sight incomplete = new Gate.Sight(Lsn.parse("A/0"), 1, "h1", false);

    assertThat(decide(incomplete, demand(null, null))).isEqualTo(Decision.NOT_READY);
    assertThat(decide(incomplete, demand("0/0", null))).isEqualTo(Decision.PENDING);
    assertThat(decide(Gate.Sight.NOTHING, demand(null, null))).isEqualTo(Decision.NOT_READY);
  }

  @Test
  void tellsAnotherHistory() {
    assertThat(decide(AT_A, demand("A/0", "h1"))).isEqualTo(Decision.OPEN);
    assertThat(decide(AT_A, demand("A/0", "h0"))).isEqualTo(Decision.OTHER_HISTORY);
    assertThat(decide(AT_A, demand(null, "h0"))).isEqualTo(Decision.OTHER_HISTORY);
  }

  @Test
  void takesNoHistoryYetForNotReached() {
    assertThat(decide(Gate.Sight.NOTHING, demand("0/1", "h1"))).isEqualTo(Decision.PENDING);
  }

  private static Gate.Demand demand(
      @org.jspecify.annotations.Nullable String lsn,
      @org.jspecify.annotations.Nullable String history) {
    return new Gate.Demand(
        Optional.ofNullable(lsn).map(Lsn::parse), Optional.ofNullable(history), history == null);
  }

  private static Decision decide(Gate.Sight sight, Gate.Demand demand) {
    return Gate.decide(sight, demand, generation -> true);
  }

  @Test
  void staysShutWhenTheSourceWritesAnotherHistoryThanTheWatermarkCountsIn() {
    assertThat(Gate.decide(AT_A, demand("9/0", null), generation -> false))
        .isEqualTo(Decision.PENDING);
    assertThat(Gate.decide(AT_A, demand(null, null), generation -> false)).isEqualTo(Decision.OPEN);
    assertThat(Gate.decide(AT_A, demand("9/0", "h1"), generation -> false))
        .isEqualTo(Decision.OPEN);
    assertThat(
            Gate.decide(
                AT_A,
                new Gate.Demand(Optional.of(Lsn.parse("9/0")), Optional.of("h1"), true),
                generation -> false))
        .isEqualTo(Decision.PENDING);
  }
}
