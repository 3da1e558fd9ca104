package dev.tidemark.tests.desk;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.LocatorAssertions;
import com.microsoft.playwright.options.AriaRole;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;
import org.assertj.core.api.Assertions;

/**
 * One browser tab on the pages, driven by what a person or a screen reader finds there: roles,
 * labels and texts. Closing it checks what must hold in every test: nothing was asked of another
 * host, and the console has no error.
 */
final class Tab implements AutoCloseable {

  /** How long a test waits for what is promised, on a slow machine, in ms. */
  private static final double LIMIT = 30_000;

  /** Chromium tells each 4xx and 5xx answer, and no answer, as an error of its own. */
  private static final Pattern ERROR_STATUS =
      Pattern.compile("Failed to load resource: .*(status of|ERR_FAILED).*");

  private final BrowserContext context;
  private final String gateway;
  private final Page page;
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private final List<String> complaints = new CopyOnWriteArrayList<>();

  Tab(BrowserContext context, String gateway) {
    this.context = context;
    this.gateway = gateway;
    context.setDefaultTimeout(LIMIT);
    context.onRequest(request -> requests.add(request.url()));
    this.page = context.newPage();
    page.onConsoleMessage(
        message -> {
          if (List.of("error", "warning").contains(message.type())
              && !ERROR_STATUS.matcher(message.text()).matches()) {
            complaints.add(message.text());
          }
        });
    page.onPageError(complaints::add);
  }

  /** The page itself. */
  Page page() {
    return page;
  }

  /** The addresses of all requests so far. */
  List<String> requests() {
    return List.copyOf(requests);
  }

  /** Opens the pages at an address below {@code /desk/}. */
  Tab open(String address) {
    page.navigate(gateway + "/desk/" + address);
    return this;
  }

  /** Opens the pages and signs in. */
  Tab signedIn(String address, String token) {
    open(address).signIn(token);
    sees(page.getByRole(AriaRole.NAVIGATION));
    return this;
  }

  /** Pastes a token and signs in with it. */
  void signIn(String token) {
    page.getByLabel("Bearer token").fill(token);
    button("Sign in").click();
  }

  /** Fills the form's fields, labels and texts in turn. */
  void fill(String... fields) {
    for (int i = 0; i < fields.length; i += 2) {
      field(fields[i]).fill(fields[i + 1]);
    }
  }

  /** A field by the beginning of its label. */
  Locator field(String label) {
    return page.getByLabel(Pattern.compile("^" + exactly(label)));
  }

  /** A button by its whole text. */
  Locator button(String text) {
    return page.getByRole(
        AriaRole.BUTTON, new Page.GetByRoleOptions().setName(text).setExact(true));
  }

  /** A region by its heading. */
  Locator region(String heading) {
    return page.getByRole(
        AriaRole.REGION, new Page.GetByRoleOptions().setName(heading).setExact(true));
  }

  /** What is told to a screen reader as soon as it is shown. */
  Locator alert() {
    return page.locator("[role=alert]:visible")
        .filter(new Locator.FilterOptions().setHasText(Pattern.compile(".")));
  }

  /** Waits until an element is shown. */
  static void sees(Locator locator) {
    assertThat(locator).isVisible(new LocatorAssertions.IsVisibleOptions().setTimeout(LIMIT));
  }

  /** Waits until an element is not shown. */
  static void seesNo(Locator locator) {
    assertThat(locator).isHidden(new LocatorAssertions.IsHiddenOptions().setTimeout(LIMIT));
  }

  /** Waits until an element's text holds the texts, in this order. */
  static void reads(Locator locator, String... texts) {
    StringBuilder pattern = new StringBuilder();
    for (String text : texts) {
      pattern.append(pattern.isEmpty() ? "" : "[\\s\\S]*").append(exactly(text));
    }
    matches(locator, pattern.toString());
  }

  /** Waits until an element's text matches. */
  static void matches(Locator locator, String pattern) {
    assertThat(locator)
        .containsText(
            Pattern.compile(pattern),
            new LocatorAssertions.ContainsTextOptions().setTimeout(LIMIT));
  }

  /** Waits until a field holds a value. */
  static void holds(Locator field, String value) {
    assertThat(field).hasValue(value, new LocatorAssertions.HasValueOptions().setTimeout(LIMIT));
  }

  /** The value of a fact, by its name. */
  static Locator fact(Locator place, String name) {
    return place
        .locator(".facts > div")
        .filter(
            new Locator.FilterOptions()
                .setHas(
                    place
                        .page()
                        .locator("dt")
                        .filter(
                            new Locator.FilterOptions()
                                .setHasText(Pattern.compile("^" + exactly(name) + "$")))))
        .locator("dd");
  }

  /** Playwright runs patterns in JavaScript, which knows no \Q. */
  private static String exactly(String text) {
    return text.replaceAll("[.*+?^${}()|\\[\\]\\\\/]", "\\\\$0");
  }

  /** Keeps what the tab shows as a picture, for people. */
  void picture(Path file) {
    page.screenshot(new Page.ScreenshotOptions().setPath(file).setFullPage(true));
  }

  @Override
  public void close() {
    try {
      Assertions.assertThat(requests)
          .allSatisfy(url -> Assertions.assertThat(url).startsWith(gateway + "/"));
      Assertions.assertThat(complaints).isEmpty();
    } finally {
      context.close();
    }
  }
}
