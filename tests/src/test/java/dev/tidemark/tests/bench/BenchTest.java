package dev.tidemark.tests.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** {@code ./tidemark bench}, with little of everything, and what it says to wrong usage. */
class BenchTest {

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    CommandLine line = Bench.commandLine();
    line.setOut(new PrintWriter(out, true));
    line.setErr(new PrintWriter(err, true));
    return line.execute(arguments);
  }

  @Test
  void measuresPeersAndLeavesNothingBehind(@TempDir Path folder) throws IOException {
    Path json = folder.resolve("results.json");
    int status =
        run(
            "--quick",
            "--only",
            "snapshot",
            "--systems",
            "debezium,logical-replication",
            "--json",
            json.toString());
    assertThat(status).as(err.toString()).isZero();
    assertThat(err.toString()).contains("snapshot: debezium: 2000 rows, round 1 of 1: ");
    assertThat(out.toString())
        .contains("| logical-replication | debezium |")
        .containsPattern("\\| snapshot +\\| rows +\\| rows/s ");
    JsonNode all = new ObjectMapper().readTree(json.toFile());
    assertThat(all.at("/machine/processors").asInt()).isPositive();
    assertThat(all.at("/machine/scale").asText()).isEqualTo("quick");
    assertThat(all.get("results"))
        .allSatisfy(
            result -> {
              assertThat(result.fieldNames())
                  .toIterable()
                  .containsExactly("workload", "system", "metric", "unit", "value", "rounds");
              assertThat(result.get("value").asDouble())
                  .isEqualTo(result.get("rounds").get(0).asDouble());
            });
    assertThat(
            StreamSupport.stream(all.get("results").spliterator(), false)
                .map(result -> result.get("system").asText())
                .distinct())
        .containsExactly("logical-replication", "debezium");
    Matcher data = Pattern.compile("the data is in (\\S+)").matcher(err.toString());
    assertThat(data.find()).isTrue();
    assertThat(Path.of(data.group(1))).doesNotExist();
    assertThat(ProcessHandle.allProcesses().map(each -> each.info().commandLine().orElse("")))
        .noneMatch(command -> command.contains(data.group(1)));
  }

  @Test
  void tellsHowLongCommitsTookToArrive() {
    int status = run("--quick", "--only", "latency", "--systems", "logical-replication");
    assertThat(status).as(err.toString()).isZero();
    assertThat(err.toString())
        .contains("latency: logical-replication: 100 writes/s, round 1 of 1: p50 ");
    assertThat(out.toString()).containsPattern("\\| latency +\\| p99, 500 writes/s +\\| ms ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--only latncy|there is no workload 'latncy'; --only takes latency, isolation, drain,",
        "--only latency,x|there is no workload 'x'",
        "--systems oracle|there is no system 'oracle'; --systems takes tidemark, logical-replication,",
        "--rounds 0|--rounds is 1 or more, not 0",
        "--rounds x|--rounds",
        "--jsn x|Unknown options",
        "extra|extra"
      })
  void wrongUsageIsStatus2AndSaysWhatIsAllowed(String arguments, String message) {
    assertThat(run(arguments.split(" "))).isEqualTo(2);
    assertThat(err.toString()).startsWith("tidemark bench: ").contains(message).contains("--help");
    assertThat(out.toString()).isEmpty();
  }
}
