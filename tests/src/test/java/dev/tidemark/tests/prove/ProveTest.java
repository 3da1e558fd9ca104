package dev.tidemark.tests.prove;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** {@code ./tidemark prove}, for a minute and with a seed that brings faults of many sorts. */
class ProveTest {

  @Test
  void aMinuteOfFaultsShowsNoViolation() throws Exception {
    ProveProcess prove = ProveProcess.run(List.of(), "--seed", "7", "--minutes", "1");
    assertThat(prove.output()).contains("\n0 violations\n");
    assertThat(prove.status()).as(prove.output()).isZero();
    assertThat(prove.figure("answered 200 or 404")).isGreaterThan(500);
    assertThat(prove.figure("answered 202")).isPositive();
    assertThat(prove.figure("followed to their 200")).isPositive();
    assertThat(prove.figure("reads over JDBC")).isPositive();
    assertThat(prove.figure("reads as a stranger")).isPositive();
    assertThat(prove.output().lines().filter(line -> line.matches("  [0-9]+ x .*")).count())
        .as("kinds of faults")
        .isGreaterThan(4);
    assertThat(prove.output()).contains("seed 7").contains("--seed 7 --minutes 1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"--minutes 0", "--minutes x", "--seed x", "--sed 1", "extra"})
  void wrongUsageIsStatus2WithAHint(String arguments) {
    StringWriter err = new StringWriter();
    CommandLine line = Prove.commandLine();
    line.setErr(new PrintWriter(err, true));
    assertThat(line.execute(arguments.split(" "))).isEqualTo(2);
    assertThat(err.toString()).startsWith("tidemark prove: ").contains("--help");
  }
}
