package dev.tidemark.tests.prove.end;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The difference of two collections of rows, each row as often as it is there. */
final class Comparison {

  private static final int SHOWN = 10;
  private static final int WIDTH = 200;

  private final List<String> lines = new ArrayList<>();
  private int missing;
  private int surplus;

  Comparison(Iterable<String> expected, Iterable<String> found) {
    Map<String, Integer> counts = new HashMap<>();
    expected.forEach(row -> counts.merge(row, 1, Integer::sum));
    found.forEach(row -> counts.merge(row, -1, Integer::sum));
    counts.forEach(
        (row, count) -> {
          if (count > 0) {
            missing += count;
            show("missing: ", row);
          } else if (count < 0) {
            surplus -= count;
            show("surplus: ", row);
          }
        });
  }

  private void show(String what, String row) {
    if (lines.size() < SHOWN) {
      String text = row.replace('\u001f', ' ');
      lines.add(what + (text.length() > WIDTH ? text.substring(0, WIDTH) + "..." : text));
    }
  }

  boolean equal() {
    return missing == 0 && surplus == 0;
  }

  /** How many rows are missing and surplus. */
  String summary() {
    return missing + " rows are missing and " + surplus + " should not be there";
  }

  /** Some of them. */
  List<String> lines() {
    return lines;
  }
}
