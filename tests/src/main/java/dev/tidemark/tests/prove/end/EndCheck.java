package dev.tidemark.tests.prove.end;

import dev.tidemark.tests.prove.load.Context;
import dev.tidemark.tests.prove.load.JdbcReader;
import dev.tidemark.tests.prove.system.Database;
import dev.tidemark.topics.Lsn;
import java.io.PrintWriter;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/**
 * What must hold when all faults are healed and nothing is written any more: every token is
 * reached, every subject shows its last state, and replica and table topics equal the source.
 */
public final class EndCheck {

  private static final Duration CATCH_UP = Duration.ofMinutes(3);
  private static final long PAUSE_MS = 100;

  private final Context context;
  private final PrintWriter out;

  /** Prints a line for each check. */
  public EndCheck(Context context, PrintWriter out) {
    this.context = context;
    this.out = out;
  }

  /** Compares everything with the source; what is wrong becomes a violation. */
  public void compare() throws Exception {
    try (JdbcReader reader = new JdbcReader(0, context, 0)) {
      reader.sweep();
    }
    say("every subject shows its last state");
    new ReplicaCheck(context).run();
    say("replica tables compared with the source");
    new TopicCheck(context).run();
    say("table topics compared with the source");
  }

  private void say(String text) {
    out.println("  " + text);
    out.flush();
  }

  /**
   * Waits until every token is reached. A source that crashed may have lost the end of its log: it
   * must grow beyond the tokens again.
   *
   * @return false when that does not come to pass, which is a violation
   */
  public boolean reachEveryToken() throws SQLException, InterruptedException {
    Database source = context.tidemark().source();
    while (!position(source).reaches(context.crashes().issued())) {
      source.run("select pg_logical_emit_message(false, 'prove', repeat('x', 100000), true)");
    }
    Lsn end = position(source).max(context.crashes().issued());
    long deadline = System.nanoTime() + CATCH_UP.toNanos();
    while (!lowest().reaches(end)) {
      if (System.nanoTime() - deadline > 0) {
        context
            .journal()
            .violation(
                "not every token is reached "
                    + CATCH_UP.toSeconds()
                    + " s after all faults were healed\n  found    "
                    + lowest()
                    + " as the lowest watermark\n  expected "
                    + end,
                context
                    .tidemark()
                    .replica()
                    .query("select * from tidemark_watermark order by 1, 2"));
        return false;
      }
      Thread.sleep(PAUSE_MS);
    }
    say("every token is reached: the lowest watermark is " + lowest());
    return true;
  }

  private static Lsn position(Database source) throws SQLException {
    return Lsn.parse(source.query("select pg_current_wal_insert_lsn()").getFirst());
  }

  private Lsn lowest() throws SQLException {
    List<String> rows =
        context.tidemark().replica().query("select min(lsn) from tidemark_watermark");
    return Lsn.parse(rows.getFirst());
  }
}
