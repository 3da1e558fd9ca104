package dev.tidemark.tests.prove.history;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The one text form of rows, in which what was written and what was read are compared. */
public final class Content {

  /** No rows. */
  public static final String NOTHING = "";

  private static final int MANY = 20;

  private Content() {}

  /** Rows of one table in any order; of many rows how many there are of each version and owner. */
  public static String of(Collection<Row> rows) {
    if (rows.size() <= MANY) {
      return String.join("; ", rows.stream().map(Row::text).sorted().toList());
    }
    Map<String, Integer> counts = new TreeMap<>();
    rows.forEach(row -> counts.merge("v" + row.version() + " of " + row.owner(), 1, Integer::sum));
    return String.join(
        "; ", counts.entrySet().stream().map(e -> e.getValue() + " rows " + e.getKey()).toList());
  }

  /** Several tables' contents as one text. */
  public static String joined(List<String> contents) {
    return String.join(" | ", contents);
  }
}
