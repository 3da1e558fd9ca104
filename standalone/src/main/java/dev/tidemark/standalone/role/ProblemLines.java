package dev.tidemark.standalone.role;

import java.util.Optional;
import java.util.function.Consumer;

/** Turns what a role says of itself into lines: one when it changes, none while it stays. */
final class ProblemLines {

  private final String role;
  private final Consumer<String> lines;
  private Optional<String> last = Optional.empty();

  ProblemLines(String role, Consumer<String> lines) {
    this.role = role;
    this.lines = lines;
  }

  /** Takes what keeps the role from working now; empty while all is well. */
  void observe(Optional<String> problem) {
    if (!problem.equals(last)) {
      last = problem;
      lines.accept(
          problem
              .map(text -> "tidemark " + role + ": does not work: " + text)
              .orElse("tidemark " + role + ": works again"));
    }
  }
}
