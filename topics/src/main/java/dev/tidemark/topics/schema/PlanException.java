package dev.tidemark.topics.schema;

import java.util.List;

/**
 * Routes that do not fit the databases. It carries every problem that was found; nothing has been
 * changed.
 */
public final class PlanException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final transient List<String> problems;

  /** An exception for one or more problems. */
  public PlanException(List<String> problems) {
    super(String.join("\n", problems));
    this.problems = List.copyOf(problems);
  }

  /** All problems: what was found, what is allowed, and what to do; never empty. */
  public List<String> problems() {
    return problems;
  }
}
