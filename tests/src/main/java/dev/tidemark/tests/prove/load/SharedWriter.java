package dev.tidemark.tests.prove.load;

import static dev.tidemark.tests.prove.system.Schema.Kind.SHARED;

import dev.tidemark.tests.prove.history.Content;
import dev.tidemark.tests.prove.history.Place;
import dev.tidemark.tests.prove.history.Row;
import dev.tidemark.tests.prove.history.Subject;
import dev.tidemark.topics.Tenants;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Rows of a table that all tenants share. */
public final class SharedWriter extends TableWriter<TableWriter.Item> {

  private static final int ROWS = 10;

  /** Commits without waiting for the disk if told to. */
  public SharedWriter(Context context, boolean asynchronous, long seed) {
    super("shared", context, ROWS, asynchronous, seed);
  }

  @Override
  TableWriter.Item fresh() {
    return new TableWriter.Item(context().subjects().fresh("shared"));
  }

  @Override
  void write(TableWriter.Item item) {
    Subject subject = item.subject();
    String note = random().nextInt(6) == 0 ? null : Notes.any(random());
    session()
        .write(
            subject,
            version -> state(subject.group(), version, note),
            (connection, version) -> {
              if (note == null) {
                SourceSession.run(
                    connection, "delete from " + SHARED.table() + " where id = ?", subject.group());
              } else {
                SourceSession.hit(
                    1,
                    connection,
                    "insert into "
                        + SHARED.table()
                        + " (tenant_id, id, grp, version, owner, note) values ('-', ?, ?, ?, ?, ?)"
                        + " on conflict (id) do update set version = excluded.version,"
                        + " note = excluded.note",
                    subject.group(),
                    subject.group(),
                    version,
                    Tenants.SHARED,
                    note);
              }
            });
  }

  private static Map<Place, String> state(String group, long version, @Nullable String note) {
    return note == null
        ? Map.of()
        : Map.of(
            new Place(SHARED.target(), Tenants.SHARED),
            Content.of(List.of(new Row(group, version, Tenants.SHARED, note))));
  }
}
