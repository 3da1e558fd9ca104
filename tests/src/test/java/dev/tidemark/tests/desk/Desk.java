package dev.tidemark.tests.desk;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Playwright;
import dev.tidemark.tests.harness.Caller;
import dev.tidemark.tests.harness.Servers;
import dev.tidemark.tests.harness.TestPipeline;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * A browser, and a pipeline with the built-in routes, for all tests of the pages. Not thread-safe.
 */
final class Desk implements AutoCloseable {

  /** What Chromium needs as root and without a way to the outside, and nothing it asks there. */
  private static final List<String> FLAGS =
      List.of(
          "--no-sandbox",
          "--disable-gpu",
          "--disable-quic",
          "--no-first-run",
          "--disable-background-networking",
          "--disable-component-update",
          "--disable-sync");

  private final TestPipeline pipeline;
  private final Playwright playwright;
  private final Browser browser;

  private Desk(TestPipeline pipeline, Playwright playwright, Browser browser) {
    this.pipeline = pipeline;
    this.playwright = playwright;
    this.browser = browser;
  }

  /** Starts both. */
  static Desk start(Path program) {
    Playwright playwright =
        Playwright.create(
            new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
    try {
      Browser browser =
          playwright
              .chromium()
              .launch(
                  new BrowserType.LaunchOptions()
                      .setExecutablePath(program)
                      .setHeadless(true)
                      .setArgs(FLAGS));
      TestPipeline pipeline = TestPipeline.start(builtInRoutes());
      // A page does not read anew by itself while tables are copied for the first time.
      pipeline.catchUp();
      return new Desk(pipeline, playwright, browser);
    } catch (SQLException | RuntimeException e) {
      playwright.close();
      throw new IllegalStateException("the browser tests can't start", e);
    }
  }

  /** The example's routes, without the names that each test pipeline has of its own. */
  private static String builtInRoutes() {
    try (InputStream in =
        Objects.requireNonNull(Desk.class.getResourceAsStream("/example-routes.yaml"))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.matches("(pipeline|slot|publication):.*"))
          .collect(Collectors.joining("\n", "", "\n"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The pipeline. */
  TestPipeline pipeline() {
    return pipeline;
  }

  /** A caller who may do everything, in the name of a tenant. */
  Caller caller(String tenant) {
    return pipeline.caller(tenant, "ops", "care", "admin");
  }

  /** A token as {@code ./tidemark token} prints it. */
  String token(String tenant, Duration ttl, String... roles) {
    return Servers.shared().issuer().issue(tenant, List.of(roles), ttl);
  }

  /** A token that may do everything. */
  String token(String tenant) {
    return token(tenant, Duration.ofHours(1), "ops", "care", "admin");
  }

  /** A fresh tab with nothing stored, as wide as a desk's screen. */
  Tab tab() {
    return tab(pipeline, new Browser.NewContextOptions().setViewportSize(1280, 900));
  }

  /** A fresh tab with nothing stored. */
  Tab tab(Browser.NewContextOptions options) {
    return tab(pipeline, options);
  }

  /** A fresh tab on the pages of another pipeline. */
  Tab tab(TestPipeline other, Browser.NewContextOptions options) {
    return new Tab(browser.newContext(options), other.services().gatewayUrl());
  }

  @Override
  public void close() throws Exception {
    try (pipeline) {
      browser.close();
    } finally {
      playwright.close();
    }
  }
}
