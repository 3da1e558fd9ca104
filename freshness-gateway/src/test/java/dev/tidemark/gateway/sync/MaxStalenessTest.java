package dev.tidemark.gateway.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tidemark.gateway.problem.ProblemException;
import dev.tidemark.gateway.problem.ProblemKind;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MaxStalenessTest {

  @Test
  void readsMilliseconds() {
    assertThat(MaxStaleness.parse(List.of())).isEmpty();
    assertThat(MaxStaleness.parse(List.of("0"))).contains(Duration.ZERO);
    assertThat(MaxStaleness.parse(List.of(" 500 "))).contains(Duration.ofMillis(500));
    assertThat(MaxStaleness.parse(List.of("3600000"))).contains(Duration.ofHours(1));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "-1",
        "+1",
        "1.5",
        "3600001",
        "99999999",
        "1e3",
        "5 0",
        "5,6",
        "PT1S",
        "٥"
      })
  void refusesEverythingElse(String text) {
    refused(List.of(text));
  }

  @Test
  void refusesTwo() {
    refused(List.of("500", "500"));
  }

  private static void refused(List<String> values) {
    assertThatExceptionOfType(ProblemException.class)
        .isThrownBy(() -> MaxStaleness.parse(values))
        .matches(e -> e.problem().kind() == ProblemKind.MALFORMED_STALENESS)
        .withMessageContaining("0 to 3600000");
  }
}
