package dev.tidemark.topics.route;

import java.util.List;
import java.util.stream.Collectors;

/**
 * A route file that cannot be used. It carries every problem that was found, in the file's order.
 */
public final class RouteFileException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final transient List<Problem> problems;

  /** An exception for one or more problems. */
  public RouteFileException(List<Problem> problems) {
    super(problems.stream().map(Problem::toString).collect(Collectors.joining("\n")));
    this.problems = List.copyOf(problems);
  }

  /** All problems, by line; never empty. */
  public List<Problem> problems() {
    return problems;
  }
}
