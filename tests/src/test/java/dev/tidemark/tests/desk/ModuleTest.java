package dev.tidemark.tests.desk;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Route;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** {@code /desk/tidemark.js}: by itself, and as its reference page uses it. */
@InBrowser
class ModuleTest {

  private static final Path REFERENCE = Path.of("../docs/reference/javascript.md");

  private static Desk desk;

  @BeforeAll
  static void start(Desk shared) {
    desk = shared;
  }

  @Test
  void keepsItsPromises() throws Exception {
    try (Tab tab = desk.tab().open("")) {
      Object results =
          tab.page()
              .evaluate(
                  """
                  async () => {
                    const cases = (%s)(await import('/desk/tidemark.js'));
                    const results = [];
                    for (const [name, run] of Object.entries(cases)) {
                      try {
                        await run();
                        results.push([name, 'ok']);
                      } catch (failure) {
                        results.push([name, String(failure)]);
                      }
                    }
                    return results;
                  }
                  """
                      .formatted(resource("/desk/tidemark-test.js")));

      assertThat(results).asList().hasSizeGreaterThan(20);
      assertThat(results)
          .asList()
          .allSatisfy(each -> assertThat((List<?>) each).last().isEqualTo("ok"));
    }
  }

  /** The example of the reference page, as it stands there. */
  @Test
  void theExampleOfTheReferenceRuns() throws Exception {
    Matcher example =
        Pattern.compile("```js\n(.*?)```", Pattern.DOTALL).matcher(Files.readString(REFERENCE));
    assertThat(example.find()).isTrue();
    String code =
        example
            .group(1)
            .replace("'./tidemark.js'", "'/desk/tidemark.js'")
            .replace("'PASTE A TOKEN'", "'" + desk.token("acme") + "'");
    assertThat(code).contains("/desk/tidemark.js", desk.token("acme").substring(0, 20));
    try (Tab tab = desk.tab().open("")) {
      tab.page()
          .route(
              "**/desk/example.js",
              route ->
                  route.fulfill(
                      new Route.FulfillOptions().setContentType("text/javascript").setBody(code)));

      Object shown = tab.page().evaluate("async () => (await import('/desk/example.js')).row");

      assertThat(shown)
          .asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.MAP)
          .contains(Map.entry("ops_status", "Delivered"));
    }
  }

  private static String resource(String name) throws IOException {
    try (InputStream in = Objects.requireNonNull(ModuleTest.class.getResourceAsStream(name))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
