package dev.tidemark.tests.desk;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.AriaRole;
import dev.tidemark.tests.harness.Caller;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The page of the pipeline, live from one event stream. */
@InBrowser
class ReplicationTest {

  private static final String LSN = "[0-9A-F]+/[0-9A-F]+";

  private static Desk desk;
  private static Caller acme;

  @BeforeAll
  static void start(Desk shared) {
    desk = shared;
    acme = desk.caller("acme");
  }

  @Test
  void showsWhereThePipelineStands() throws Exception {
    acme.put("/api/doc/Waybill/STATUS-1", "{\"order\":\"A\"}");
    desk.pipeline().catchUp();
    try (Tab tab = desk.tab().signedIn("#/replication", desk.token("acme"))) {
      Tab.reads(tab.page().locator("#live"), "Live");
      Tab.matches(tab.region("Lag"), "[0-9,.]+ m?s");
      Tab.matches(tab.region("Behind"), "[0-9,.]+ (bytes|KiB)");
      Tab.matches(tab.region("Events per second"), "[0-9,.]+");

      Locator pipeline = tab.region("Pipeline");
      Tab.matches(Tab.fact(pipeline, "Replicated"), LSN);
      Tab.matches(Tab.fact(pipeline, "End of the source’s log"), LSN);
      Tab.reads(Tab.fact(pipeline, "Projector"), "reporting");
      Tab.reads(Tab.fact(pipeline, "Leader of capture"), "test");
      Tab.reads(Tab.fact(pipeline, "Snapshot"), "complete");

      Locator slot = tab.region("Replication slot");
      Tab.reads(Tab.fact(slot, "Name"), desk.pipeline().slot());
      Tab.reads(Tab.fact(slot, "State"), "active");
      Tab.reads(Tab.fact(slot, "wal_status"), "reserved");
      Tab.reads(Tab.fact(slot, "Retained WAL"), "no limit (max_slot_wal_keep_size = -1)");

      Locator partitions = tab.page().getByRole(AriaRole.TABLE).first();
      assertThat(partitions.getByRole(AriaRole.ROW).count()).isEqualTo(5);
      Tab.matches(partitions, LSN);
      Tab.reads(tab.region("Routes"), "replica_waybill", "document type Waybill", "complete");
    }
  }

  @Test
  void theWalThatTheSlotKeepsIsShownAgainstItsLimit() throws Exception {
    try (Tab tab = desk.tab().signedIn("#/replication", desk.token("acme"))) {
      Locator slot = tab.region("Replication slot");
      Tab.reads(slot, "no limit");
      limit("'1GB'");
      try {
        Tab.matches(Tab.fact(slot, "Retained WAL"), "[0-9,.]+ [KM]?i?[Bb](ytes)? of 1 GiB");
        Tab.sees(slot.getByRole(AriaRole.METER));
        Tab.matches(Tab.fact(slot, "safe_wal_size"), "[0-9,.]+ [MG]iB");
      } finally {
        limit("'-1'");
      }
      Tab.reads(slot, "no limit");
    }
  }

  private static void limit(String value) throws Exception {
    try (var connection = desk.pipeline().sourceDatabase().connect();
        var statement = connection.createStatement()) {
      statement.execute("alter system set max_slot_wal_keep_size = " + value);
      statement.execute("select pg_reload_conf()");
    }
  }

  @Test
  void aWriteMovesThePlotThePositionsAndTheCount() throws Exception {
    try (Tab tab = desk.tab().signedIn("#/replication", desk.token("acme"))) {
      Tab.reads(tab.page().locator("#live"), "Live");
      Tab.matches(tab.region("Events per second"), "[0-9]");
      Locator line = tab.page().locator("#events-plot .plot-line");
      String before = tab.page().locator("#replicated-lsn").textContent();

      for (int i = 0; i < 30; i++) {
        acme.put("/api/doc/Waybill/MOVE-" + i, "{\"order\":\"A\"}");
      }

      Tab.matches(tab.page().locator("#events"), "[1-9]");
      // Zero is drawn at the lower edge; what lies above it is a smaller number.
      tab.page()
          .waitForFunction(
              "line => line.getAttribute('d').match(/[ML][0-9.-]+ [0-9.-]+/g)"
                  + ".some(point => Number(point.split(' ')[1]) < 98)",
              line.elementHandle());
      assertThat(line.count()).isEqualTo(1);
      assertThat(tab.page().locator("#events-plot svg").getAttribute("aria-label"))
          .matches("Events per second over the last minute: now .*, at most .*[1-9].*");
      tab.page()
          .waitForFunction(
              "before => document.getElementById('replicated-lsn').textContent !== before", before);
    }
  }

  @Test
  void onlyAnAdministratorCanPause() {
    try (Tab tab =
        desk.tab().signedIn("#/replication", desk.token("acme", Duration.ofHours(1), "ops"))) {
      Tab.reads(tab.region("Pipeline"), "capture", "running", "projector", "running");
      Tab.seesNo(tab.button("Pause projector"));
    }
  }

  @Test
  void comesBackByItselfWhenTheStreamEndsOrCannotBeOpened() {
    try (Tab tab = desk.tab()) {
      AtomicInteger connections = new AtomicInteger();
      tab.page()
          .route(
              "**/api/sync/stream",
              route -> {
                switch (connections.incrementAndGet()) {
                  case 1 ->
                      route.fulfill(
                          new Route.FulfillOptions()
                              .setContentType("text/event-stream")
                              .setBody(": a stream that ends\n\n"));
                  case 2 -> route.abort();
                  default -> route.resume();
                }
              });

      tab.signedIn("#/replication", desk.token("acme"));

      Tab.reads(tab.page().locator("#live"), "The stream has ended; trying again in");
      Tab.reads(tab.page().locator("#live"), "The gateway does not answer; trying again in");
      Tab.reads(tab.page().locator("#live"), "Live");
      Tab.matches(tab.region("Lag"), "[0-9,.]+ m?s");
      assertThat(connections).hasValue(3);
    }
  }

  @Test
  void oneStreamIsAllThatThePageAsksFor() {
    try (Tab tab = desk.tab().signedIn("#/replication", desk.token("acme"))) {
      Tab.reads(tab.page().locator("#live"), "Live");
      List<String> asked = tab.requests();
      String line = tab.page().locator("#lag-plot .plot-line").getAttribute("d");

      // Two more statuses come by the stream, and nothing is asked meanwhile.
      tab.page()
          .waitForFunction(
              "before => document.querySelector('#lag-plot .plot-line').getAttribute('d')"
                  + ".split('L').length >= before + 2",
              line.split("L").length);

      assertThat(tab.requests()).isEqualTo(asked);
      assertThat(asked).filteredOn(url -> url.endsWith("/api/sync/stream")).hasSize(1);
    }
  }
}
