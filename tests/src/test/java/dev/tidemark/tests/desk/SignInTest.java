package dev.tidemark.tests.desk;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.options.AriaRole;
import java.time.Duration;
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

  @Test
  void aTokenThatExpiresAsksForANewOneAndKeepsWhatWasTyped() {
    try (Tab tab = desk.tab().signedIn("", desk.token("acme", Duration.ofSeconds(4), "ops"))) {
      tab.fill("Name", "KEEP-1", "Receiver", "typed before");

      Tab.reads(tab.page().locator("#sign-in-notice"), "This token expired on", "Get a new one");
      tab.signIn(desk.token("acme"));

      Tab.holds(tab.field("Receiver"), "typed before");
    }
  }

  @Test
  void somebodyElseFindsNothingOfThePersonBefore() {
    try (Tab tab = desk.tab().signedIn("", desk.token("acme", Duration.ofSeconds(4), "ops"))) {
      tab.fill("Name", "SECRET-1", "Receiver", "typed by acme");
      Tab.sees(tab.page().getByText("This token expired on"));

      tab.signIn(desk.token("globex"));

      Tab.reads(tab.page().locator("#account"), "globex");
      Tab.holds(tab.field("Receiver"), "");
      Tab.holds(tab.field("Name"), "");
    }
  }

  @Test
  void aTokenThatHasExpiredAlreadyIsNotTried() {
    String token = desk.token("acme", Duration.ofSeconds(1), "ops");
    try (Tab tab = desk.tab().open("")) {
      tab.page().waitForFunction("at => Date.now() > at", System.currentTimeMillis() + 1500.0);
      tab.signIn(token);
      Tab.reads(tab.alert(), "expired on", "Get a new one");
    }
  }
}
