package dev.tidemark.tests.bench.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SequencedMap;
import java.util.SequencedSet;

/**
 * All results as one table: a line for each metric, a column for each system, in the order in which
 * they came. It is Markdown, so that a document can take it as it is.
 */
public final class ResultTable {

  private static final String NOTHING = "";

  private record Line(String workload, String metric, String unit) {}

  private ResultTable() {}

  /** The table's lines, without line ends; empty when there are no results. */
  public static List<String> lines(List<Result> results) {
    if (results.isEmpty()) {
      return List.of();
    }
    SequencedSet<String> systems = new LinkedHashSet<>();
    SequencedMap<Line, Map<String, String>> cells = new LinkedHashMap<>();
    for (Result result : results) {
      systems.add(result.system());
      cells
          .computeIfAbsent(
              new Line(result.workload(), result.metric(), result.unit()),
              line -> new LinkedHashMap<>())
          .put(result.system(), number(result.value()));
    }
    List<List<String>> rows = new ArrayList<>();
    List<String> head = new ArrayList<>(List.of("workload", "metric", "unit"));
    head.addAll(systems);
    rows.add(head);
    cells.forEach(
        (line, values) -> {
          List<String> row = new ArrayList<>(List.of(line.workload(), line.metric(), line.unit()));
          systems.forEach(system -> row.add(values.getOrDefault(system, NOTHING)));
          rows.add(row);
        });
    return layOut(rows, 3);
  }

  /** Rows as a Markdown table, whose first columns are texts and the others numbers. */
  static List<String> layOut(List<List<String>> rows, int texts) {
    int columns = rows.getFirst().size();
    int[] widths = new int[columns];
    for (List<String> row : rows) {
      for (int i = 0; i < columns; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    List<String> lines = new ArrayList<>();
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder("|");
      for (int i = 0; i < columns; i++) {
        String format = i < texts ? " %-" + widths[i] + "s |" : " %" + widths[i] + "s |";
        line.append(String.format(Locale.ROOT, format, row.get(i)));
      }
      lines.add(line.toString());
      if (lines.size() == 1) {
        lines.add(rule(widths, texts));
      }
    }
    return lines;
  }

  private static String rule(int[] widths, int texts) {
    StringBuilder line = new StringBuilder("|");
    for (int i = 0; i < widths.length; i++) {
      line.append("-".repeat(widths[i] + 1)).append(i < texts ? "-|" : ":|");
    }
    return line.toString();
  }

  /** With as many digits as say something: 12345, 123, 12.3, 1.23, 0.0123. */
  static String number(double value) {
    double size = Math.abs(value);
    if (size == 0) {
      return "0";
    }
    int decimals = size >= 100 ? 0 : size >= 10 ? 1 : size >= 0.1 ? 2 : 4;
    return String.format(Locale.ROOT, "%,." + decimals + "f", value);
  }
}
