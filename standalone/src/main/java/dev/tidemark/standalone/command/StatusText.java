package dev.tidemark.standalone.command;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The answer of {@code /api/sync/status} as text for a person. */
final class StatusText {

  private static final String UNKNOWN = "-";

  private StatusText() {}

  /** A few lines of what concerns the pipeline, then a table of the slot and one of partitions. */
  static String of(JsonNode status) {
    StringBuilder text = new StringBuilder();
    text.append(line("replicated", value(status.path("replicatedLsn"))));
    text.append(line("source", value(status.path("currentLsn"))));
    text.append(line("behind", bytes(status.path("bytesBehind"))));
    text.append(line("lag", unit(status.path("lagMs"), "ms")));
    text.append(
        line(
            "projector",
            status.path("workerReporting").asBoolean() ? "reporting" : "NOT REPORTING"));
    if (status.hasNonNull("leader")) {
      text.append(line("leader", value(status.path("leader"))));
    }
    text.append(table("slot", List.of(status.path("slot"))));
    List<JsonNode> partitions = new ArrayList<>();
    status.path("partitions").forEach(partitions::add);
    text.append(table("partitions", partitions));
    text.append(advice(partitions));
    return text.toString();
  }

  /** How to go on where something stands still or is set aside. */
  private static String advice(List<JsonNode> partitions) {
    StringBuilder text = new StringBuilder();
    if (partitions.stream().anyMatch(partition -> partition.hasNonNull("stopped"))) {
      text.append(
          """

          A stopped partition keeps its place: nothing is lost, and its reads with a later position are pending.
          Change the route so that the value fits (its table is read anew), or let the route set such changes aside
          (on_error: quarantine), and restart. See docs/reference/routes.md.
          """);
    }
    if (partitions.stream().anyMatch(partition -> partition.path("quarantined").asLong() > 0)) {
      text.append(
          """

          Rows are set aside: tidemark_quarantine in the replica database says which and why. Write the whole row on
          the source again, and it comes back.
          """);
    }
    return text.toString();
  }

  private static String line(String name, String value) {
    return String.format(Locale.ROOT, "%-12s %s%n", name, value);
  }

  /** A table with the fields of the first row as its columns; the interface may add some. */
  private static String table(String title, List<JsonNode> rows) {
    if (rows.isEmpty() || !rows.getFirst().isObject()) {
      return line(title, UNKNOWN);
    }
    List<String> names = rows.getFirst().properties().stream().map(Map.Entry::getKey).toList();
    List<List<String>> cells = new ArrayList<>();
    cells.add(names);
    for (JsonNode row : rows) {
      cells.add(names.stream().map(name -> value(row.path(name))).toList());
    }
    List<Integer> widths =
        IntStream.range(0, names.size())
            .mapToObj(i -> cells.stream().mapToInt(row -> row.get(i).length()).max().orElse(0))
            .toList();
    return cells.stream()
        .map(
            row ->
                IntStream.range(0, row.size())
                    .mapToObj(i -> pad(row.get(i), widths.get(i)))
                    .collect(Collectors.joining("  "))
                    .stripTrailing())
        .collect(
            Collectors.joining(
                System.lineSeparator() + "  ",
                System.lineSeparator() + title + System.lineSeparator() + "  ",
                System.lineSeparator()));
  }

  private static String pad(String text, int width) {
    return text + " ".repeat(width - text.length());
  }

  private static String value(JsonNode node) {
    if (node.isMissingNode() || node.isNull()) {
      return UNKNOWN;
    }
    return node.isValueNode() ? node.asText() : node.toString();
  }

  private static String bytes(JsonNode node) {
    if (!node.isNumber()) {
      return UNKNOWN;
    }
    long bytes = node.asLong();
    return bytes < 10_240
        ? bytes + " bytes"
        : bytes < 10_485_760 ? bytes / 1_024 + " KiB" : bytes / 1_048_576 + " MiB";
  }

  private static String unit(JsonNode node, String unit) {
    return node.isNumber() ? node.asText() + " " + unit : UNKNOWN;
  }
}
