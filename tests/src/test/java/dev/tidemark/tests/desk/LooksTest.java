package dev.tidemark.tests.desk;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.ReducedMotion;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The pages on a desk's screen and on a phone's, light and dark: nothing is cut off, and axe finds
 * no fault for people who use a screen reader or need contrast. With the system property {@code
 * tidemark.tests.pictures} pictures of them are kept in that folder.
 */
@InBrowser
class LooksTest {

  private static Desk desk;
  private static String axe;

  @BeforeAll
  static void start(Desk shared) throws Exception {
    desk = shared;
    try (InputStream in =
        Objects.requireNonNull(LooksTest.class.getResourceAsStream("/axe.min.js"))) {
      axe = new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
    desk.caller("acme")
        .put(
            "/api/doc/Waybill/LOOKS-1",
            "{\"order\":\"SO-77120\",\"ops_status\":\"Out for Delivery\",\"current_hub\":\"HN-01\","
                + "\"receiver_name\":\"Nguyễn Thị Lan\",\"scan_log\":[\"in\",\"sorted\",\"out\"]}");
  }

  @ParameterizedTest
  @CsvSource({"1280,LIGHT", "1280,DARK", "360,LIGHT", "360,DARK"})
  void nothingIsCutOffAndAxeFindsNoFault(int width, ColorScheme scheme) throws Exception {
    Browser.NewContextOptions options =
        new Browser.NewContextOptions()
            .setViewportSize(width, 800)
            .setColorScheme(scheme)
            .setReducedMotion(ReducedMotion.REDUCE);
    try (Tab tab = desk.tab(options).open("")) {
      tab.signIn("hello");
      Tab.sees(tab.alert());
      look(tab, "sign-in", width, scheme);

      tab.signIn(desk.token("acme"));
      Tab.sees(tab.region("Document"));
      tab.fill("Name", "LOOKS-1");
      tab.button("Load").click();
      Tab.reads(tab.region("Replica"), "Row LOOKS-1");
      tab.fill("Current hub", "HN-02");
      tab.button("Save").click();
      Tab.reads(tab.region("Replica"), "In sync");
      look(tab, "waybill", width, scheme);

      tab.open("#/replication");
      Tab.reads(tab.page().locator("#live"), "Live");
      Tab.reads(tab.region("Routes"), "replica_waybill");
      look(tab, "replication", width, scheme);
    }
  }

  private static void look(Tab tab, String page, int width, ColorScheme scheme) throws IOException {
    @Nullable String pictures = System.getProperty("tidemark.tests.pictures");
    if (pictures != null) {
      Path folder = Files.createDirectories(Path.of(pictures));
      tab.picture(folder.resolve("%s-%d-%s.png".formatted(page, width, scheme)));
    }
    assertThat(
            tab.page()
                .evaluate(
                    "() => document.documentElement.scrollWidth"
                        + " - document.documentElement.clientWidth"))
        .as("pixels beyond the right edge of %s at %d", page, width)
        .isEqualTo(0);
    tab.page().evaluate(axe);
    assertThat(
            tab.page()
                .evaluate(
                    """
                    async () => (await axe.run(document, { resultTypes: ['violations'] })).violations
                      .map((each) => `${each.id}: ${each.help}: `
                        + each.nodes.map((node) => node.target.join(' ') + ' ' + node.any.map((check) => check.message)).join('; '))
                    """))
        .asList()
        .isEmpty();
  }
}
