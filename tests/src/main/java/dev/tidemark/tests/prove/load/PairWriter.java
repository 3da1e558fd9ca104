package dev.tidemark.tests.prove.load;

import static dev.tidemark.tests.prove.system.Schema.Kind.PAIR_LEFT;
import static dev.tidemark.tests.prove.system.Schema.Kind.PAIR_RIGHT;

import dev.tidemark.tests.prove.history.Content;
import dev.tidemark.tests.prove.history.Place;
import dev.tidemark.tests.prove.history.Row;
import dev.tidemark.tests.prove.history.Subject;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Three rows of two tables in one transaction, so that a reader who sees some of it sees it torn;
 * with savepoints that are rolled back in between.
 */
public final class PairWriter extends TableWriter<PairWriter.Pair> {

  private static final int PAIRS = 15;

  /** Commits without waiting for the disk if told to. */
  public PairWriter(int number, Context context, boolean asynchronous, long seed) {
    super("pairs-" + number, context, PAIRS, asynchronous, seed);
  }

  static final class Pair extends TableWriter.Item {
    private final String tenant;
    private @Nullable String note;

    Pair(Subject subject, String tenant) {
      super(subject);
      this.tenant = tenant;
    }
  }

  @Override
  Pair fresh() {
    return new Pair(context().subjects().fresh("pair"), tenant());
  }

  @Override
  void write(Pair pair) {
    int choice = random().nextInt(100);
    boolean rolledBack = random().nextInt(3) == 0;
    String before = pair.note;
    String next = choice < 10 ? null : before != null && choice < 40 ? before : any();
    session()
        .write(
            pair.subject(),
            version -> state(pair, version, next),
            (connection, version) -> {
              if (rolledBack) {
                rollBack(connection, pair);
              }
              if (next == null) {
                delete(connection, pair);
              } else if (next.equals(before)) {
                SourceSession.hit(
                    2, connection, touch(PAIR_LEFT.table()), version, pair.tenant, group(pair));
                SourceSession.hit(
                    1, connection, touch(PAIR_RIGHT.table()), version, pair.tenant, group(pair));
              } else {
                upsert(connection, pair, PAIR_LEFT.table(), "a", version, next);
                upsert(connection, pair, PAIR_LEFT.table(), "b", version, next);
                upsert(connection, pair, PAIR_RIGHT.table(), "a", version, next);
              }
              pair.note = next;
            });
  }

  private String any() {
    return Notes.any(random());
  }

  private static String group(Pair pair) {
    return pair.subject().group();
  }

  private static String touch(String table) {
    return "update " + table + " set version = ? where tenant_id = ? and grp = ?";
  }

  private static void delete(Connection connection, Pair pair) throws SQLException {
    for (String table : List.of(PAIR_LEFT.table(), PAIR_RIGHT.table())) {
      SourceSession.run(
          connection,
          "delete from " + table + " where tenant_id = ? and grp = ?",
          pair.tenant,
          group(pair));
    }
  }

  private static void rollBack(Connection connection, Pair pair) throws SQLException {
    Savepoint savepoint = connection.setSavepoint();
    delete(connection, pair);
    upsert(connection, pair, PAIR_RIGHT.table(), "a", -1, "rolled back");
    connection.rollback(savepoint);
  }

  private static void upsert(
      Connection connection, Pair pair, String table, String side, long version, String note)
      throws SQLException {
    SourceSession.hit(
        1,
        connection,
        "insert into "
            + table
            + " (tenant_id, id, grp, version, owner, note) values (?, ?, ?, ?, ?, ?)"
            + " on conflict (tenant_id, id) do update set version = excluded.version,"
            + " note = excluded.note",
        pair.tenant,
        group(pair) + side,
        group(pair),
        version,
        pair.tenant,
        note);
  }

  private static Map<Place, String> state(Pair pair, long version, @Nullable String note) {
    if (note == null) {
      return Map.of();
    }
    Row a = new Row(group(pair) + "a", version, pair.tenant, note);
    Row b = new Row(group(pair) + "b", version, pair.tenant, note);
    return Map.of(
        new Place(PAIR_LEFT.target(), pair.tenant),
        Content.of(List.of(a, b)),
        new Place(PAIR_RIGHT.target(), pair.tenant),
        Content.of(List.of(a)));
  }
}
