package dev.tidemark.topics.yaml;

import java.util.List;
import java.util.stream.Collectors;

/**
 * A file, or files that belong together, that cannot be used. It carries every problem that was
 * found.
 */
public class YamlException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final transient List<Problem> problems;

  /** An exception for one or more problems. */
  public YamlException(List<Problem> problems) {
    super(problems.stream().map(Problem::toString).collect(Collectors.joining("\n")));
    this.problems = List.copyOf(problems);
  }

  /** All problems, by line within each file; never empty. */
  public List<Problem> problems() {
    return problems;
  }
}
