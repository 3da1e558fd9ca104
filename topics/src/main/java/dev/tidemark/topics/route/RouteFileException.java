package dev.tidemark.topics.route;

import dev.tidemark.topics.yaml.Problem;
import dev.tidemark.topics.yaml.YamlException;
import java.util.List;

/**
 * A route file that cannot be used. It carries every problem that was found, in the file's order.
 */
public final class RouteFileException extends YamlException {

  private static final long serialVersionUID = 1L;

  /** An exception for one or more problems. */
  public RouteFileException(List<Problem> problems) {
    super(problems);
  }
}
