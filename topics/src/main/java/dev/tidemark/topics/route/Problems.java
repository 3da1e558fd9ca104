package dev.tidemark.topics.route;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.nodes.Node;

/** Collects the problems of one file while it is read. Used by one thread. */
final class Problems {

  private final String file;
  private final List<Problem> found = new ArrayList<>();

  Problems(String file) {
    this.file = file;
  }

  /** The line of a node, from 1. */
  static int line(Node node) {
    return node.getStartMark().map(Mark::getLine).orElse(0) + 1;
  }

  void at(Node node, String message) {
    at(line(node), message);
  }

  void at(int line, String message) {
    Problem problem = new Problem(file, line, message);
    if (!found.contains(problem)) {
      found.add(problem);
    }
  }

  /** Ends the reading when anything was found. */
  void throwIfAny() {
    if (!found.isEmpty()) {
      throw new RouteFileException(
          found.stream().sorted(Comparator.comparingInt(Problem::line)).toList());
    }
  }
}
