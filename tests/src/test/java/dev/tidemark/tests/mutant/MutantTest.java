package dev.tidemark.tests.mutant;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.tests.prove.ProveProcess;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code ./tidemark prove} finds mutants of the product, and says what they did. */
class MutantTest {

  @TempDir private Path folder = Path.of("");

  @ParameterizedTest
  @CsvSource({
    "WATERMARK_APART_FROM_ROWS, stale read",
    "TENANT_PER_SESSION, stale read",
    "MAXIMUM_INSTEAD_OF_MINIMUM, the status names a position that a partition had not reached",
  })
  void isFound(Mutant mutant, String said) throws Exception {
    ProveProcess prove =
        ProveProcess.run(
            // What a run with violations leaves goes with this test's folder.
            List.of(MutantAgent.option(folder, mutant), "-Djava.io.tmpdir=" + folder),
            "--seed",
            "1",
            "--minutes",
            "1",
            "--stop-at-first");
    assertThat(prove.status()).as(prove.output()).isEqualTo(1);
    assertThat(prove.output()).contains("VIOLATION: ").contains(said);
  }
}
