package dev.tidemark.tests.prove.load;

import static dev.tidemark.tests.prove.system.Schema.Kind.MOVER;

import dev.tidemark.tests.prove.history.Content;
import dev.tidemark.tests.prove.history.Place;
import dev.tidemark.tests.prove.history.Row;
import dev.tidemark.tests.prove.history.Subject;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Single rows that change their tenant, their key, or both. */
public final class MoverWriter extends TableWriter<MoverWriter.Mover> {

  private static final int MOVERS = 20;
  private static final String TABLE = MOVER.table();

  /** Commits without waiting for the disk if told to. */
  public MoverWriter(Context context, boolean asynchronous, long seed) {
    super("movers", context, MOVERS, asynchronous, seed);
  }

  /** Where its row is; null where there is none. */
  private record At(String tenant, String id, String note) {}

  static final class Mover extends TableWriter.Item {
    private @Nullable At at;

    Mover(Subject subject) {
      super(subject);
    }
  }

  @Override
  Mover fresh() {
    return new Mover(context().subjects().fresh("mover"));
  }

  @Override
  void write(Mover mover) {
    At before = mover.at;
    At next = next(mover.subject().group(), before);
    String group = mover.subject().group();
    session()
        .write(
            mover.subject(),
            version -> state(next, version),
            (connection, version) -> {
              if (before == null && next != null) {
                SourceSession.hit(
                    1,
                    connection,
                    "insert into "
                        + TABLE
                        + " (tenant_id, id, grp, version, owner, note) values (?, ?, ?, ?, ?, ?)",
                    next.tenant,
                    next.id,
                    group,
                    version,
                    next.tenant,
                    next.note);
              } else if (before != null && next == null) {
                SourceSession.hit(
                    1, connection, "delete from " + TABLE + " where id = ?", before.id);
              } else if (before != null && next != null) {
                SourceSession.hit(
                    1,
                    connection,
                    "update "
                        + TABLE
                        + " set tenant_id = ?, owner = ?, id = ?, version = ? where id = ?",
                    next.tenant,
                    next.tenant,
                    next.id,
                    version,
                    before.id);
              }
              mover.at = next;
            });
  }

  private @Nullable At next(String group, @Nullable At before) {
    String otherId = group + "." + random().nextInt(1_000_000);
    if (before == null) {
      return new At(tenant(), otherId, Notes.any(random()));
    }
    return switch (random().nextInt(6)) {
      case 0 -> null;
      case 1, 2 -> new At(tenant(), before.id, before.note);
      case 3 -> new At(before.tenant, otherId, before.note);
      case 4 -> new At(tenant(), otherId, before.note);
      default -> before;
    };
  }

  private static Map<Place, String> state(@Nullable At at, long version) {
    return at == null
        ? Map.of()
        : Map.of(
            new Place(MOVER.target(), at.tenant),
            Content.of(List.of(new Row(at.id, version, at.tenant, at.note))));
  }
}
