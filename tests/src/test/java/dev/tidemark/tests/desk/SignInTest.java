package dev.tidemark.tests.desk;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.options.AriaRole;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Signing in with a token, and what happens to one that does not hold. */
@InBrowser
class SignInTest {

  private static final String STORED =
      "() => Object.keys(sessionStorage).concat(Object.keys(localStorage))";

  private static Desk desk;

  @BeforeAll
  static void start(Desk shared) {
    desk = shared;
  }

  @Test
  void showsWhoIsSignedInAndForgetsEverythingAtTheEnd() {
    try (Tab tab = desk.tab().open("")) {
      Tab.reads(
          tab.page().locator("main"), "./tidemark token --tenant acme --roles ops,care,admin");
      tab.signIn("  Bearer " + desk.token("acme", Duration.ofHours(1), "ops", "care") + "\n");

      tab.page().locator("#account summary").click();
      Tab.reads(
          tab.page().locator("#account"),
          "Subject",
          "local:acme",
          "Tenant",
          "acme",
          "Roles",
          "ops, care",
          "Expires");
      assertThat(tab.page().evaluate("() => localStorage.length")).isEqualTo(0);

      tab.page().reload();
      Tab.sees(tab.page().getByRole(AriaRole.NAVIGATION));

      tab.page().locator("#account summary").click();
      tab.button("Sign out").click();
      Tab.sees(tab.page().getByLabel("Bearer token"));
      Tab.seesNo(tab.page().getByRole(AriaRole.NAVIGATION));
      assertThat(tab.page().evaluate(STORED)).asList().isEmpty();
    }
  }

  @Test
  void saysWhyATokenIsRefusedAndKeepsNothing() {
    String token = desk.token("acme");
    try (Tab tab = desk.tab().open("")) {
      tab.signIn("");
      Tab.reads(tab.alert(), "Paste a token first");
      tab.signIn("hello");
      Tab.reads(tab.alert(), "not a whole token");
      tab.signIn("aaaa.bbbb.cccc");
      Tab.reads(tab.alert(), "can’t be read");
      tab.signIn(token.substring(0, token.lastIndexOf('.') + 1) + "A".repeat(86));
      Tab.reads(tab.alert(), "The token is not accepted", "Get a new token");

      assertThat(tab.page().getByLabel("Bearer token").getAttribute("aria-invalid"))
          .isEqualTo("true");
      assertThat(tab.page().evaluate(STORED)).asList().isEmpty();
    }
  }

  /** Two tabs whose clocks are set two hours ahead: one goes on, the other is taken over. */
  @Test
  void anExpiredTokenAsksForAnotherAndKeepsWhatWasTypedForTheSamePersonOnly() {
    String token = desk.token("acme");
    try (Tab same = desk.tab();
        Tab other = desk.tab()) {
      for (Tab tab : List.of(same, other)) {
        tab.page().clock().install();
        tab.signedIn("", token);
        tab.fill("Name", "KEPT-1", "Receiver", "typed by acme");
      }
      other.button("Save").click();
      Tab.reads(other.region("Document"), "Saved at");
      for (Tab tab : List.of(same, other)) {
        tab.page().clock().fastForward("02:00:00");
        Tab.reads(tab.page().locator("#sign-in-notice"), "This token expired on", "Get a new one");
        Tab.seesNo(tab.region("Document"));
        tab.signIn(token);
        Tab.reads(tab.alert(), "expired on", "Get a new one");
      }

      same.signIn(desk.token("acme", Duration.ofHours(9), "ops"));
      other.signIn(desk.token("globex", Duration.ofHours(9), "ops"));

      Tab.holds(same.field("Receiver"), "typed by acme");
      Tab.reads(other.page().locator("#account"), "globex");
      Tab.holds(other.field("Receiver"), "");
      Tab.holds(other.field("Name"), "");
    }
  }
}
