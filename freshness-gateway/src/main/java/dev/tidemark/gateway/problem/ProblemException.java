package dev.tidemark.gateway.problem;

/**
 * Ends a request with a problem answer. It carries no stack trace: it is an answer, not a fault.
 */
public final class ProblemException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final transient Problem problem;

  ProblemException(Problem problem) {
    super(problem.detail(), null, false, false);
    this.problem = problem;
  }

  /** The answer. */
  public Problem problem() {
    return problem;
  }
}
