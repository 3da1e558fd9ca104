package dev.tidemark.tests.bench.workload;

import dev.tidemark.tests.bench.system.Contender;
import dev.tidemark.tests.bench.system.Fill;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** Loads that one statement makes inside of the source's server. */
final class SourceLoad {

  /** Tenants that the documents belong to, in turn. */
  static final int TENANTS = 20;

  /** How documents are spread over transactions. */
  enum Shape {
    /** A transaction for each document, of each tenant in turn. */
    SINGLE_ROWS("single-row transactions", 1),
    /** A hundred documents of one tenant in a transaction, of each tenant in turn. */
    HUNDREDS("transactions of 100 rows", 100),
    /** All in one, a hundred documents of each tenant in turn. */
    ONE("one transaction", 100);

    private final String text;
    private final int block;

    Shape(String text, int block) {
      this.text = text;
      this.block = block;
    }

    /** As the results say it. */
    String text() {
      return text;
    }
  }

  private static final String DATA =
      """
      jsonb_build_object('order', 'SO-77120', 'ops_status', 'Scanned ' || i, 'current_hub', 'HN-01', \
      'receiver_name', 'Lan', 'scan_log', array['in', 'sorted', 'out'])""";

  private SourceLoad() {}

  /**
   * Commits documents. Their commits do not wait for the disk, but the last one does, and so all
   * are there for the slot when this returns.
   */
  static Fill fill(Contender system, Shape shape, String prefix, int rows) throws SQLException {
    String tenant = "'t' || mod(i / " + shape.block + ", " + TENANTS + ")";
    try (Connection source = system.source();
        Statement statement = source.createStatement()) {
      statement.execute("set synchronous_commit = off");
      switch (shape) {
        case ONE ->
            statement.execute(insert(tenant, prefix, "generate_series(0, " + (rows - 1) + ") i"));
        case SINGLE_ROWS ->
            statement.execute(loop(rows, 1, insert(tenant, prefix, "(select start) s(i)")));
        case HUNDREDS ->
            statement.execute(
                loop(
                    rows,
                    shape.block,
                    insert(
                        tenant,
                        prefix,
                        "generate_series(start, least(start + 99, " + (rows - 1) + ")) i")));
      }
      statement.execute("set synchronous_commit = on");
      statement.execute("create temp table last_commit (i int)");
    }
    return new Fill(prefix, rows, last(shape, prefix, rows));
  }

  private static String loop(int rows, int step, String statement) {
    return """
        do $$ begin
          for start in 0 .. %d by %d loop
            %s;
            commit;
          end loop;
        end $$"""
        .formatted(rows - 1, step, statement);
  }

  /**
   * A statement that inserts documents.
   *
   * @param tenant an expression of their number {@code i}
   * @param prefix of their names, before the number
   * @param numbers what follows {@code from}, with a column {@code i}
   */
  static String insert(String tenant, String prefix, String numbers) {
    return "insert into tidemark_doc select %s, 'Waybill', '%s' || i, %s, 1, now(), now() from %s"
        .formatted(tenant, prefix, DATA, numbers);
  }

  private static List<Fill.Key> last(Shape shape, String prefix, int rows) {
    List<Fill.Key> last = new ArrayList<>();
    boolean[] found = new boolean[TENANTS];
    for (int i = rows - 1; i >= 0 && last.size() < TENANTS; i--) {
      int tenant = i / shape.block % TENANTS;
      if (!found[tenant]) {
        found[tenant] = true;
        last.add(new Fill.Key("t" + tenant, prefix + i));
      }
    }
    return last;
  }

  /** Removes all documents from the source and from what followed it. */
  static void clear(Contender system) throws Exception {
    try (Connection source = system.source();
        Statement statement = source.createStatement()) {
      statement.execute("truncate tidemark_doc");
    }
    system.clear();
  }
}
