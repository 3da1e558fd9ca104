package dev.tidemark.tests.desk;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Locator;
import dev.tidemark.tests.harness.Caller;
import dev.tidemark.tests.harness.TestPipeline;
import java.time.Duration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The page of a waybill: the document on the source, and its row in the replica. */
@InBrowser
class WaybillTest {

  private static final String LSN = "[0-9A-F]+/[0-9A-F]+";

  private static Desk desk;
  private static Caller acme;

  @BeforeAll
  static void start(Desk shared) {
    desk = shared;
    acme = desk.caller("acme");
  }

  /** The seed's scene, all of it in the browser. */
  @Test
  void aSaveIsPendingWhileTheProjectorIsPausedAndThenInSync() {
    try (Tab operator = desk.tab().signedIn("#/replication", desk.token("acme"));
        Tab tab = desk.tab().signedIn("", desk.token("acme"))) {
      operator.button("Pause projector").click();
      Tab.sees(operator.button("Resume projector"));
      tab.fill("Name", "SCENE-1", "Order", "SO-77120", "Status", "Out for Delivery");
      tab.fill("Current hub", "HN-01", "Receiver", "Lan", "Scan log", "in\nsorted\nout");

      tab.button("Save").click();

      Locator replica = tab.region("Replica");
      Tab.reads(replica, "Sync pending", "Waiting for");
      Tab.matches(Tab.fact(replica, "Required"), LSN);
      Tab.matches(Tab.fact(replica, "Replicated"), LSN);
      Tab.matches(Tab.fact(replica, "Asked"), "[2-9] times");
      Tab.seesNo(replica.getByText("Row SCENE-1"));

      operator.button("Resume projector").click();

      Tab.reads(replica, "In sync");
      Tab.matches(replica, "In sync [0-9.,]+ (ms|s) after the write");
      Tab.reads(Tab.fact(replica, "order_name"), "SO-77120");
      Tab.reads(Tab.fact(replica, "ops_status"), "Out for Delivery");
      Tab.reads(Tab.fact(replica, "scans"), "3");
      Tab.matches(Tab.fact(replica, "source_lsn"), LSN);

      tab.page().reload();
      Tab.holds(tab.field("Name"), "SCENE-1");
      Tab.reads(replica, "In sync", "Out for Delivery");
    }
  }

  @Test
  void aLoadedWaybillIsSavedInTheVersionThatWasLoaded() throws Exception {
    acme.put("/api/doc/Waybill/LOCK-1", "{\"order\":\"A\",\"receiver_name\":\"before\"}");
    try (Tab tab = desk.tab().signedIn("#/waybill/LOCK-1", desk.token("acme"))) {
      Tab.holds(tab.field("Receiver"), "before");
      acme.patch("/api/doc/Waybill/LOCK-1", "{\"receiver_name\":\"somebody else's\"}");
      tab.fill("Current hub", "HN-02");

      tab.button("Save").click();

      Tab.reads(tab.alert(), "not in the expected version", "Somebody else has changed");
      tab.button("Load the newest version").click();
      Tab.holds(tab.field("Receiver"), "somebody else's");
      tab.fill("Current hub", "HN-02");
      tab.button("Save").click();
      Tab.reads(tab.region("Replica"), "In sync", "HN-02", "somebody else's");
      assertThat(acme.get("/api/doc/Waybill/LOCK-1").json().path("current_hub").asText())
          .isEqualTo("HN-02");
    }
  }

  @Test
  void aNewWaybillNeverTakesTheNameOfAnother() throws Exception {
    acme.put("/api/doc/Waybill/TAKEN-1", "{\"order\":\"first\"}");
    try (Tab tab = desk.tab().signedIn("", desk.token("acme"))) {
      tab.fill("Name", "TAKEN-1", "Order", "second");

      tab.button("Save").click();

      Tab.reads(tab.alert(), "There is a waybill of this name already");
      assertThat(acme.get("/api/doc/Waybill/TAKEN-1").json().path("order").asText())
          .isEqualTo("first");
    }
  }

  @Test
  void whatTheFormDoesNotShowStaysAsItIs() throws Exception {
    acme.put(
        "/api/doc/Waybill/EXTRA-1",
        "{\"order\":7,\"weight\":9007199254740993.10,\"scan_log\":[\"in\",{\"hub\":\"X\"}]}");
    try (Tab tab = desk.tab().signedIn("#/waybill/EXTRA-1", desk.token("acme"))) {
      Tab.holds(tab.field("Scan log"), "in\n{\"hub\":\"X\"}");
      tab.fill("Scan log", "in\n{\"hub\":\"X\"}\nout", "Status", "At Hub");

      tab.button("Save").click();

      Tab.reads(Tab.fact(tab.region("Replica"), "scans"), "3");
      assertThat(acme.get("/api/doc/Waybill/EXTRA-1").body())
          .contains("\"weight\": 9007199254740993.10")
          .contains("\"order\": 7")
          .contains("[\"in\", {\"hub\": \"X\"}, \"out\"]");
    }
  }

  @Test
  void markupInFieldsIsShownAsTextEverywhere() throws Exception {
    String attack = "<img src=x onerror=\"window.attacked=1\"><script>window.attacked=1</script>";
    String json = attack.replace("\"", "\\\"");
    acme.put(
        "/api/doc/Waybill/XSS-1",
        "{\"order\":\"%s\",\"ops_status\":\"%s\",\"scan_log\":[\"%s\"]}"
            .formatted(json, json, json));
    try (Tab tab = desk.tab().signedIn("", desk.token("acme"))) {
      tab.fill("Name", "XSS-1");
      tab.button("Load").click();
      Tab.holds(tab.field("Order"), attack);
      Tab.holds(tab.field("Scan log"), attack);
      tab.fill("Receiver", attack);

      tab.button("Save").click();

      Tab.reads(Tab.fact(tab.region("Replica"), "receiver_name"), attack);
      Tab.reads(Tab.fact(tab.region("Replica"), "ops_status"), attack);
      tab.fill("Name", attack);
      tab.button("Load").click();
      Tab.reads(tab.region("Document"), "The source has none of this name");
      assertThat(tab.page().evaluate("() => window.attacked")).isNull();
    }
  }

  @Test
  void aRoleThatIsMissingIsNamed() {
    try (Tab tab = desk.tab().signedIn("", desk.token("acme", Duration.ofHours(1), "care"))) {
      tab.fill("Name", "ROLE-1");

      tab.button("Save").click();

      Tab.reads(tab.alert(), "A role is missing", "Roles that may: ops");
    }
  }

  @Test
  void anUnfitNameIsRefusedBeforeItIsSent() {
    try (Tab tab = desk.tab().signedIn("", desk.token("acme"))) {
      tab.fill("Name", "..");
      tab.button("Save").click();

      assertThat(tab.field("Name").evaluate("field => field.validationMessage"))
          .isEqualTo("A name is not just dots.");
    }
  }

  @Test
  void aNameOfOddCharactersIsOneName() throws Exception {
    String name = "Ä/b;c%2F d?#\\\"";
    try (Tab tab = desk.tab().signedIn("", desk.token("acme"))) {
      tab.fill("Name", name, "Order", "odd");
      tab.button("Save").click();

      Tab.reads(Tab.fact(tab.region("Replica"), "name"), name);
      Tab.reads(Tab.fact(tab.region("Replica"), "order_name"), "odd");
    }
  }

  /** From the first key to the row in sync, without a pointer. */
  @Test
  void everythingWorksByTheKeyboardAlone() {
    try (Tab tab = desk.tab().open("")) {
      var keys = tab.page().keyboard();
      keys.press("Tab");
      assertThat(focused(tab)).isEqualTo("Skip to the page");
      keys.press("Enter");
      assertThat(tab.page().evaluate("() => document.activeElement.id + location.hash"))
          .isEqualTo("main");
      keys.press("Tab");
      keys.insertText(desk.token("acme"));
      keys.press("Enter");
      Tab.sees(tab.region("Document"));
      assertThat(focused(tab)).isEqualTo("Waybill");
      keys.press("Tab");
      keys.type("KEYS-1");
      keys.press("Tab"); // Load
      for (String text : new String[] {"SO-9", "At Hub", "HN-03", "Minh"}) {
        keys.press("Tab");
        keys.type(text);
      }
      keys.press("Tab");
      keys.type("in");
      keys.press("Enter");
      keys.type("out");
      keys.press("Tab");
      assertThat(focused(tab)).isEqualTo("Save");
      keys.press("Enter");

      Tab.reads(tab.region("Replica"), "In sync", "KEYS-1", "SO-9", "At Hub", "HN-03", "Minh", "2");
    }
  }

  @Test
  void saysSoWhereNoRouteWritesTheReplicaTable() throws Exception {
    String routes =
        """
        partitions: 1
        routes:
          - doctype: Invoice
            target: replica_invoice
            columns:
              - { name: total, from: total }
        """;
    try (TestPipeline other = TestPipeline.start(routes);
        Tab tab = desk.tab(other, new Browser.NewContextOptions())) {
      tab.signedIn("", desk.token("acme"));
      Tab.reads(tab.page().locator("#route-missing"), "no route to replica_waybill");
      tab.fill("Name", "LONE-1");
      tab.button("Save").click();

      Tab.reads(tab.region("Document"), "Saved at");
      Tab.reads(tab.region("Replica"), "No route");
    }
  }

  private static Object focused(Tab tab) {
    return tab.page().evaluate("() => document.activeElement.textContent");
  }
}
