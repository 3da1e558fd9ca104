package dev.tidemark.topics.yaml;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.nodes.Node;

/** Collects the problems of one file while it is read. Used by one thread. */
public final class Problems {

  private final String file;
  private final List<Problem> found = new ArrayList<>();

  /** For the file of this name. */
  public Problems(String file) {
    this.file = file;
  }

  /** The line of a node, from 1. */
  public static int line(Node node) {
    return node.getStartMark().map(Mark::getLine).orElse(0) + 1;
  }

  /** A problem of a node. */
  public void at(Node node, String message) {
    at(line(node), message);
  }

  /** A problem of a line, from 1; the same one is kept once. */
  public void at(int line, String message) {
    Problem problem = new Problem(file, line, message);
    if (!found.contains(problem)) {
      found.add(problem);
    }
  }

  /** What was found, by line. */
  public List<Problem> sorted() {
    return found.stream().sorted(Comparator.comparingInt(Problem::line)).toList();
  }
}
