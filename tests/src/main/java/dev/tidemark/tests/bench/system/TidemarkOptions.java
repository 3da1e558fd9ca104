package dev.tidemark.tests.bench.system;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * How an installation is started.
 *
 * @param rows documents that are on the source before it
 * @param routes a route file's text; empty for the built-in one
 * @param tables statements that make the source's tables before it; they come with routes
 * @param oneCluster whether source and replica share a cluster
 */
public record TidemarkOptions(
    int rows, Optional<String> routes, List<String> tables, boolean oneCluster) {

  /** As {@code ./tidemark up} starts without options. */
  public static final TidemarkOptions DEFAULT =
      new TidemarkOptions(0, Optional.empty(), List.of(), false);

  public TidemarkOptions {
    tables = List.copyOf(tables);
  }

  /** With documents on the source. */
  public TidemarkOptions withRows(int count) {
    return new TidemarkOptions(count, routes, tables, oneCluster);
  }

  List<String> arguments(java.nio.file.Path folder) {
    List<String> arguments =
        new ArrayList<>(List.of("up", "--data", folder.toString(), "--port", "0"));
    if (routes.isPresent()) {
      arguments.addAll(List.of("--routes", folder.resolve("routes.yaml").toString()));
    }
    if (oneCluster) {
      arguments.addAll(List.of("--layout", "one-cluster"));
    }
    return arguments;
  }
}
