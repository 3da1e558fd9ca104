package dev.tidemark.tests.prove.load;

import dev.tidemark.topics.Lsn;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Watches the table of watermarks: within a generation no number goes back, no partition stops, and
 * no fault of this run is a reason for a new generation.
 */
public final class WatermarkReader extends Worker {

  private static final long PAUSE_MS = 150;

  private final Map<String, State> states = new HashMap<>();

  private final Set<String> reported = new HashSet<>();

  private record State(int generation, Lsn lsn, long offset, long epoch, long events) {}

  /** Watches from the start on. */
  public WatermarkReader(Context context) {
    super("watermarks", context);
  }

  @Override
  void step() {
    rest(PAUSE_MS);
    try {
      context()
          .tidemark()
          .replica()
          .query(
              "select partition, generation, lsn, log_offset, epoch, events, coalesce(stopped, '')"
                  + " from tidemark_watermark")
          .forEach(this::look);
    } catch (SQLException e) {
      context().journal().line("watermarks could not be read: " + e.getMessage());
      rest(PAUSE_MS);
    }
  }

  private void look(String row) {
    String[] columns = row.split("\u001f", -1);
    State now =
        new State(
            Integer.parseInt(columns[1]),
            Lsn.parse(columns[2]),
            Long.parseLong(columns[3]),
            Long.parseLong(columns[4]),
            Long.parseLong(columns[5]));
    State before = states.put(columns[0], now);
    context().journal().line("watermark " + String.join(" ", columns));
    if (!columns[6].isEmpty()) {
      violation("partition " + columns[0] + " stands still: " + columns[6]);
    }
    if (before == null || before.generation() == 0) {
      return;
    }
    if (before.generation() != now.generation()) {
      violation(
          "partition "
              + columns[0]
              + " began generation "
              + now.generation()
              + " without a reason");
    } else if (!now.lsn().reaches(before.lsn())
        || now.offset() < before.offset()
        || now.epoch() < before.epoch()
        || now.events() < before.events()) {
      violation(
          "the watermark row of partition "
              + columns[0]
              + " went back\n  found    "
              + now
              + "\n  expected nothing below "
              + before);
    }
  }

  private void violation(String text) {
    if (reported.add(text)) {
      context().journal().violation(text, List.of());
    }
  }
}
