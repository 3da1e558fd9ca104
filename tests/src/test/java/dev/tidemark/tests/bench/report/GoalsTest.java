package dev.tidemark.tests.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class GoalsTest {

  private static Result latency(String system, double p50) {
    return Result.of("latency", system, "p50, 100 writes/s", "ms", List.of(p50));
  }

  private static Result drain(String system, double perSecond) {
    return Result.of("drain", system, "transactions of 100 rows", "changes/s", List.of(perSecond));
  }

  @Test
  void aLimitIsReachedUpToItsValue() {
    assertThat(Goals.lines(List.of(latency("tidemark", 4))))
        .last()
        .asString()
        .contains("p50, ms <= 4.00 | reached")
        .endsWith(" 4.00 |");
    assertThat(Goals.lines(List.of(latency("tidemark", 4.01))))
        .last()
        .asString()
        .contains("| not reached |");
  }

  @Test
  void aRatioIsOfTheSameRun() {
    assertThat(Goals.lines(List.of(drain("tidemark", 10_000), drain("debezium", 40_000))))
        .last()
        .asString()
        .contains("against bare Debezium >= 0.50 x | not reached |")
        .endsWith(" 0.25 |");
  }

  @Test
  void whatWasNotMeasuredIsLeftOut() {
    assertThat(Goals.lines(List.of())).isEmpty();
    assertThat(Goals.lines(List.of(drain("tidemark", 10_000)))).isEmpty();
    assertThat(Goals.lines(List.of(latency("debezium", 1)))).isEmpty();
  }
}
