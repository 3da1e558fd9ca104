package dev.tidemark.tests.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ResultTableTest {

  @Test
  void aLineForEachMetricAndAColumnForEachSystem() {
    assertThat(
            ResultTable.lines(
                List.of(
                    Result.of("latency", "tidemark", "p50", "ms", List.of(5.0, 3.0, 4.0)),
                    Result.of(
                        "drain", "tidemark", "one transaction", "changes/s", List.of(12345.6)),
                    Result.of("latency", "debezium", "p50", "ms", List.of(0.05)))))
        .containsExactly(
            "| workload | metric          | unit      | tidemark | debezium |",
            "|----------|-----------------|-----------|---------:|---------:|",
            "| latency  | p50             | ms        |     4.00 |   0.0500 |",
            "| drain    | one transaction | changes/s |   12,346 |          |");
  }

  @Test
  void noResultsAreNoTable() {
    assertThat(ResultTable.lines(List.of())).isEmpty();
  }
}
