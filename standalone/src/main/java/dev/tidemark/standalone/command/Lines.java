package dev.tidemark.standalone.command;

import dev.tidemark.topics.route.RouteFile;
import java.io.PrintWriter;

/** Lines for whoever watches a role, each seen at once. */
final class Lines {

  private Lines() {}

  static void print(PrintWriter to, String line) {
    to.println(line);
    to.flush();
  }

  static void started(PrintWriter to, String role, RouteFile routes, String instance) {
    print(
        to,
        "tidemark: %s of %s runs as %s (Ctrl-C stops it)"
            .formatted(role, routes.pipeline(), instance));
  }
}
