package dev.tidemark.tests.prove.load;

import static dev.tidemark.tests.prove.system.Schema.Kind.SWAP;

import dev.tidemark.tests.prove.history.Content;
import dev.tidemark.tests.prove.history.Place;
import dev.tidemark.tests.prove.history.Row;
import dev.tidemark.tests.prove.history.Subject;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Two rows that swap their keys in one transaction. */
public final class SwapWriter extends TableWriter<SwapWriter.Swap> {

  private static final int SWAPS = 15;
  private static final String TABLE = SWAP.table();

  /** Commits without waiting for the disk if told to. */
  public SwapWriter(Context context, boolean asynchronous, long seed) {
    super("swaps", context, SWAPS, asynchronous, seed);
  }

  private record Notes2(String x, String y) {}

  static final class Swap extends TableWriter.Item {
    private final String tenant;
    private @Nullable Notes2 notes;

    Swap(Subject subject, String tenant) {
      super(subject);
      this.tenant = tenant;
    }
  }

  @Override
  Swap fresh() {
    return new Swap(context().subjects().fresh("swap"), tenant());
  }

  @Override
  void write(Swap swap) {
    Notes2 before = swap.notes;
    Notes2 next =
        before == null
            ? new Notes2(Notes.any(random()), Notes.any(random()))
            : random().nextInt(6) == 0 ? null : new Notes2(before.y, before.x);
    session()
        .write(
            swap.subject(),
            version -> state(swap, next, version),
            (connection, version) -> {
              if (before == null && next != null) {
                insert(connection, swap, "x", next.x, version);
                insert(connection, swap, "y", next.y, version);
              } else if (next == null) {
                SourceSession.hit(
                    2,
                    connection,
                    "delete from " + TABLE + " where tenant_id = ? and grp = ?",
                    swap.tenant,
                    swap.subject().group());
              } else {
                rename(connection, swap, "x", "t", version);
                rename(connection, swap, "y", "x", version);
                rename(connection, swap, "t", "y", version);
              }
              swap.notes = next;
            });
  }

  private static void insert(
      Connection connection, Swap swap, String side, String note, long version)
      throws SQLException {
    SourceSession.hit(
        1,
        connection,
        "insert into "
            + TABLE
            + " (tenant_id, id, grp, version, owner, note) values (?, ?, ?, ?, ?, ?)",
        swap.tenant,
        swap.subject().group() + side,
        swap.subject().group(),
        version,
        swap.tenant,
        note);
  }

  private static void rename(Connection connection, Swap swap, String from, String to, long version)
      throws SQLException {
    SourceSession.hit(
        1,
        connection,
        "update " + TABLE + " set id = ?, version = ? where tenant_id = ? and id = ?",
        swap.subject().group() + to,
        version,
        swap.tenant,
        swap.subject().group() + from);
  }

  private static Map<Place, String> state(Swap swap, @Nullable Notes2 notes, long version) {
    if (notes == null) {
      return Map.of();
    }
    String group = swap.subject().group();
    return Map.of(
        new Place(SWAP.target(), swap.tenant),
        Content.of(
            List.of(
                new Row(group + "x", version, swap.tenant, notes.x),
                new Row(group + "y", version, swap.tenant, notes.y))));
  }
}
