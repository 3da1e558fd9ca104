package dev.tidemark.tests.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.gateway.problem.ProblemKind;
import dev.tidemark.tests.harness.Servers;
import java.util.Arrays;
import java.util.Map;
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

  /** What is described though no test can bring it about, and why. */
  private static final Map<Place, String> NOT_PROVOKED = Map.of();

  @BeforeSuite
  static void nothingIsAnsweredYet() {
    Coverage.clear();
  }

  @AfterSuite
  static void everyDescribedAnswerWasGiven() {
    if (ofTheCoreOnly() && Coverage.places().isEmpty()) {
      return;
    }
    Description description = Description.load();
    SortedSet<Place> missing = description.places();
    assertThat(missing).as("exceptions that are not described").containsAll(NOT_PROVOKED.keySet());
    missing.removeAll(NOT_PROVOKED.keySet());
    missing.removeAll(Coverage.places());

    assertThat(missing).as("answers that are described and were never given").isEmpty();
    assertThat(Coverage.places())
        .as("answers that were given though the list of exceptions says they can't be")
        .noneMatch(NOT_PROVOKED::containsKey);
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
