package dev.tidemark.standalone.role;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ProblemLinesTest {

  private final List<String> lines = new ArrayList<>();
  private final ProblemLines problems = new ProblemLines("capture", lines::add);

  @Test
  void nothingIsSaidWhileAllIsWell() {
    problems.observe(Optional.empty());
    problems.observe(Optional.empty());
    assertThat(lines).isEmpty();
  }

  @Test
  void problemIsSaidOnceAndSoIsItsEnd() {
    problems.observe(Optional.of("no broker"));
    problems.observe(Optional.of("no broker"));
    problems.observe(Optional.of("no slot"));
    problems.observe(Optional.empty());
    problems.observe(Optional.empty());
    assertThat(lines)
        .containsExactly(
            "tidemark capture: does not work: no broker",
            "tidemark capture: does not work: no slot",
            "tidemark capture: works again");
  }
}
