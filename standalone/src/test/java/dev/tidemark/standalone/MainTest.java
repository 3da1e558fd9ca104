package dev.tidemark.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.standalone.data.DataFolder;
import dev.tidemark.standalone.issuer.LocalIssuer;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class MainTest {

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TempDir private Path folder = Path.of("");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "upp                                    | upp",
        "up --prot 1                            | --prot",
        "up --port 65536                        | 65536",
        "up --port x                            | --port",
        "up --pg 14                             | PostgreSQL 14 is not one of [15, 16, 17, 18]",
        "up --layout three                      | two-clusters",
        "routes                                 | check or plan",
        "routes check                           | FILE",
        "routes chekc x                         | chekc",
        "status extra                           | extra",
        "token --roles a                        | --tenant",
        "token --tenant t --roles a --ttl 0s    | a number above 0 and s, m, h or d",
        "token --tenant t --roles a --ttl 1week | a number above 0 and s, m, h or d",
        "token --tenant t --roles a,,b          | --roles",
        "token --tenant * --roles a             | all tenants share",
        "capture                                | --config",
        "projector --config                     | --config",
        "gateway --config x --prot 1             | --prot",
        "gateway --config x y                   | y",
        "routes plan x --only target            | target",
      })
  void wrongUsageIsStatus2WithAHint(String arguments, String said) {
    assertThat(run(arguments.split(" "))).isEqualTo(2);
    assertThat(err.toString()).startsWith("tidemark").contains(said).contains("--help");
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void everyCommandHasHelpAndIsKnownToTheScript() throws Exception {
    String script = Files.readString(Path.of("..", "tidemark"));
    for (String name : Main.commandLine().getSubcommands().keySet()) {
      assertThat(run(name, "--help")).isZero();
      assertThat(out.toString()).contains("Usage: ./tidemark " + name);
      assertThat(script).containsPattern("(?m)^  " + name + "( [a-z]+)? {2,}[a-z]");
      assertThat(script).containsPattern("(?m)^  [a-z |]*\\b" + name + "\\b[a-z |]*\\) run ");
    }
  }

  @Test
  void routesCheckListsAllProblemsWithTheirLines() throws Exception {
    Path file = folder.resolve("routes.yaml");
    Files.writeString(file, "slot: s\nroutez: []\nroutes: []\n");
    assertThat(run("routes", "check", file.toString())).isEqualTo(1);
    assertThat(out.toString().lines())
        .hasSizeGreaterThan(2)
        .allMatch(line -> line.matches("\\Q" + file + "\\E:[0-9]+: .+"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"capture", "projector", "gateway"})
  void roleListsAllProblemsOfItsFileWithTheirLines(String role) throws Exception {
    Path file = folder.resolve("tidemark.yaml");
    Files.writeString(file, "sauce: {}\ninstance: a b\nroutes: absent.yaml\n");
    assertThat(run(role, "--config", file.toString())).isEqualTo(1);
    assertThat(out.toString()).isEmpty();
    assertThat(err.toString().lines())
        .hasSizeGreaterThan(4)
        .startsWith("tidemark " + role + ":")
        .anyMatch(line -> line.contains("did you mean `source`?"))
        .allMatch(
            line -> line.endsWith(role + ":") || line.matches("\\Q" + file + "\\E:[0-9]+: .+"));
  }

  @Test
  void plansOfOneDatabaseArePrintedAlone() {
    String file = "src/main/resources/example-routes.yaml";
    assertThat(run("routes", "plan", file, "--only", "replica")).isZero();
    assertThat(out.toString()).contains("-- replica").doesNotContain("-- source");
    assertThat(run("routes", "plan", file, "--source", "jdbc:postgresql://localhost/a"))
        .isEqualTo(2);
    assertThat(err.toString()).contains("--source and --replica go together");
  }

  @Test
  void exampleIsAValidRouteFileWithAPlan() throws Exception {
    Path file = Path.of("src/main/resources/example-routes.yaml");
    assertThat(run("routes", "check", file.toString())).isZero();
    assertThat(run("routes", "plan", file.toString())).isZero();
    assertThat(out.toString()).contains("-- source", "-- replica", "replica_waybill");
    assertThat(RouteFiles.example().routes()).hasSize(1);
  }

  @Test
  void statusOfAFolderOnWhichNothingRunsIsStatus1() {
    assertThat(run("status", "--data", folder.toString())).isEqualTo(1);
    assertThat(err.toString()).contains("nothing runs on the data folder " + folder);
  }

  @Test
  void tokenIsPrintedAlone() throws Exception {
    LocalIssuer.loadOrCreate(folder);
    assertThat(run("token", "--tenant", "acme", "--roles", "ops", "--data", folder.toString()))
        .isZero();
    assertThat(out.toString().strip()).matches("[\\w-]+\\.[\\w-]+\\.[\\w-]+");
  }

  @Test
  void failureIsStatus1WithoutAStackTrace() {
    assertThat(run("token", "--tenant", "acme", "--roles", "ops", "--data", folder.toString()))
        .isEqualTo(1);
    assertThat(err.toString()).contains("no issuer in " + folder).doesNotContain("\tat ");
  }

  @Test
  void secondUpOnAFolderIsRefusedAndLeavesTheFirstAlone() throws Exception {
    try (DataFolder first = DataFolder.lock(folder)) {
      Process second =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-cp",
                  System.getProperty("java.class.path"),
                  Main.class.getName(),
                  "up",
                  "--data",
                  first.path().toString())
              .redirectErrorStream(true)
              .start();
      String said = new String(second.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(second.waitFor()).isEqualTo(1);
      assertThat(said)
          .contains("is in use by process " + ProcessHandle.current().pid())
          .doesNotContain("\tat ");
      assertThat(folder).isDirectoryNotContaining("glob:**/postgres");
    }
  }

  private int run(String... arguments) {
    CommandLine line = Main.commandLine();
    line.setOut(new PrintWriter(out, true));
    line.setErr(new PrintWriter(err, true));
    return line.execute(arguments);
  }
}
