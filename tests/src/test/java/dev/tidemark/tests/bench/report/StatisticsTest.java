package dev.tidemark.tests.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class StatisticsTest {

  @Test
  void percentilesAreTheNearestRank() {
    List<Double> hundred =
        DoubleStream.iterate(100, value -> value - 1).limit(100).boxed().toList();
    assertThat(Statistics.percentile(hundred, 0.5)).isEqualTo(50);
    assertThat(Statistics.percentile(hundred, 0.99)).isEqualTo(99);
    assertThat(Statistics.percentile(hundred, 1)).isEqualTo(100);
    assertThat(Statistics.percentile(List.of(7.0), 0.01)).isEqualTo(7);
    assertThat(Statistics.percentile(List.of(3.0, 1.0, 2.0), 0.99)).isEqualTo(3);
  }

  @Test
  void theMedianOfAnEvenNumberLiesBetween() {
    assertThat(Statistics.median(List.of(9.0, 1.0, 5.0))).isEqualTo(5);
    assertThat(Statistics.median(List.of(4.0, 1.0, 3.0, 2.0))).isEqualTo(2.5);
  }

  @Test
  void nothingHasNoFigures() {
    assertThatIllegalArgumentException().isThrownBy(() -> Statistics.median(List.of()));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Statistics.percentile(List.of(), 0.5))
        .withMessageContaining("empty");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Statistics.percentile(List.of(1.0), 0))
        .withMessageContaining("share");
  }
}
