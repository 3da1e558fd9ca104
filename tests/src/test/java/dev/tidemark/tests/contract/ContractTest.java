package dev.tidemark.tests.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.gateway.problem.ProblemKind;
import dev.tidemark.tests.harness.Servers;
import java.util.Arrays;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.platform.suite.api.AfterSuite;
import org.junit.platform.suite.api.BeforeSuite;
import org.junit.platform.suite.api.SelectClasses;
import org.junit.platform.suite.api.Suite;

/** The whole contract. Afterwards every answer that is described has been given. */
@Suite(failIfNoTests = false)
@SelectClasses({
  DocumentContract.class,
  ReplicaContract.class,
  PipelineContract.class,
  SignInContract.class,
  FaultContract.class,
})
class ContractTest {

  @BeforeSuite
  static void nothingIsAnsweredYet() {
    Coverage.clear();
  }

  @AfterSuite
  static void everyDescribedAnswerWasGiven() {
    if (ofTheCoreOnly() && Coverage.places().isEmpty()) {
      return;
    }
    SortedSet<Place> missing = Description.load().places();
    missing.removeAll(Coverage.places());

    assertThat(missing).as("answers that are described and were never given").isEmpty();
    assertThat(Coverage.problems())
        .as("problem types that were answered")
        .containsExactlyElementsOf(
            new TreeSet<>(Arrays.stream(ProblemKind.values()).map(ProblemKind::type).toList()));
  }

  /** The runs on older PostgreSQL take the tests of the core alone, and none of these is one. */
  private static boolean ofTheCoreOnly() {
    return System.getProperty(Servers.VERSION_PROPERTY) != null;
  }
}
