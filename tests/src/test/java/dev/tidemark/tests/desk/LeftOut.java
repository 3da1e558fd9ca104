package dev.tidemark.tests.desk;

import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.TestTag;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * Says at the end of a run how many browser tests were left out, and how to get a browser. JUnit
 * finds it by {@code META-INF/services}.
 */
public final class LeftOut implements TestExecutionListener {

  private static final TestTag BROWSER = TestTag.create(InBrowser.TAG);

  private final Set<String> tests = new HashSet<>();
  private @Nullable TestPlan plan;

  @Override
  public void testPlanExecutionStarted(TestPlan started) {
    plan = started;
  }

  @Override
  public void executionSkipped(TestIdentifier skipped, String reason) {
    if (skipped.getTags().contains(BROWSER)) {
      TestPlan all = Objects.requireNonNull(plan);
      count(all, skipped);
      all.getDescendants(skipped).forEach(each -> count(all, each));
    }
  }

  /** A test with parameters has no tests below it before it runs, and counts as one. */
  private void count(TestPlan all, TestIdentifier identifier) {
    if (all.getChildren(identifier).isEmpty()) {
      tests.add(identifier.getUniqueId());
    }
  }

  @Override
  public void testPlanExecutionFinished(TestPlan finished) {
    if (!tests.isEmpty()) {
      System.out.println(
          "tidemark: "
              + tests.size()
              + " tests of the web pages were left out, because no Chrome or Chromium was found. "
              + BrowserProgram.HOW_TO_GET_ONE
              + ".");
    }
  }
}
