package dev.tidemark.standalone.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;

class StatusTextTest {

  @Test
  void everyFieldIsShownInTablesOfEqualWidth() throws Exception {
    String text =
        StatusText.of(
            new ObjectMapper()
                .readTree(
                    """
                    {"replicatedLsn": "0/387CFC0", "currentLsn": "0/387F920", "bytesBehind": 20480,
                     "lagMs": 7, "workerReporting": true,
                     "partitions": [{"partition": 0, "lsn": "0/387CFC0", "stopped": null},
                                    {"partition": 1, "lsn": "0/38", "stopped": "a gap"}],
                     "slot": {"name": "s", "active": true}}"""));
    assertThat(text.lines())
        .containsExactly(
            "replicated   0/387CFC0",
            "source       0/387F920",
            "behind       20 KiB",
            "lag          7 ms",
            "projector    reporting",
            "",
            "slot",
            "  name  active",
            "  s     true",
            "",
            "partitions",
            "  partition  lsn        stopped",
            "  0          0/387CFC0  -",
            "  1          0/38       a gap",
            "",
            "A stopped partition keeps its place: nothing is lost, and its reads with a later position are pending.",
            "Change the route so that the value fits (its table is read anew), or let the route set such changes aside",
            "(on_error: quarantine), and restart. See docs/reference/routes.md.");
  }

  @Test
  void rowsThatAreSetAsideComeWithWhatToDo() throws Exception {
    String text =
        StatusText.of(
            new ObjectMapper()
                .readTree("{\"partitions\": [{\"partition\": 0, \"quarantined\": 2}]}"));
    assertThat(text).contains("tidemark_quarantine").doesNotContain("stopped partition");
  }

  @Test
  void whatTheGatewayCannotSayIsADash() throws Exception {
    String text =
        StatusText.of(
            new ObjectMapper()
                .readTree("{\"bytesBehind\": null, \"slot\": null, \"partitions\": []}"));
    assertThat(text)
        .contains("behind       -", "lag          -", "slot         -", "partitions   -")
        .contains("NOT REPORTING");
  }
}
