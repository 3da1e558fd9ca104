package dev.tidemark.tests.bench.system;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** Documents that are on the source before a system is. */
public final class Documents {

  /** Of their names. */
  public static final String PREFIX = "s-";

  private Documents() {}

  /** Writes them; of 20 tenants, in turn. */
  static void fill(Connection source, int rows) throws SQLException {
    if (rows == 0) {
      return;
    }
    try (Statement statement = source.createStatement()) {
      statement.execute(
          """
          insert into tidemark_doc
            select 't' || mod(i, 20), 'Waybill', '%s' || i,
              jsonb_build_object('order', 'SO-77120', 'ops_status', 'Scanned ' || i, 'current_hub', 'HN-01',
                'receiver_name', 'Lan', 'scan_log', array['in', 'sorted', 'out']),
              1, now(), now()
            from generate_series(0, %d) i"""
              .formatted(PREFIX, rows - 1));
      statement.execute("analyze tidemark_doc");
    }
  }

  /** All of them, as a fill. */
  public static Fill asFill(int rows) {
    return new Fill(
        PREFIX, rows, List.of(new Fill.Key("t" + (rows - 1) % 20, PREFIX + (rows - 1))));
  }
}
