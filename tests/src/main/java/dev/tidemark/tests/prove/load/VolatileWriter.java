package dev.tidemark.tests.prove.load;

import static dev.tidemark.tests.prove.system.Schema.Kind.VOLATILE;

import dev.tidemark.tests.prove.history.Subject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Rows of several tenants in a table that is truncated now and then. */
public final class VolatileWriter extends TableWriter<VolatileWriter.Table> {

  private static final int TENANTS = 5;

  private final List<Subject> former = new ArrayList<>();

  /** Commits without waiting for the disk if told to. */
  public VolatileWriter(Context context, boolean asynchronous, long seed) {
    super("volatile", context, 1, asynchronous, seed);
  }

  static final class Table extends TableWriter.Item {
    private final List<String> tenants;

    Table(Subject subject, List<String> tenants) {
      super(subject);
      this.tenants = tenants;
    }
  }

  @Override
  Table fresh() {
    Subject subject = context().subjects().fresh("volatile");
    former.add(subject);
    List<String> tenants = new ArrayList<>();
    while (tenants.size() < TENANTS) {
      String tenant = tenant();
      if (!tenants.contains(tenant)) {
        tenants.add(tenant);
      }
    }
    return new Table(subject, tenants);
  }

  @Override
  void write(Table table) {
    Rows rows =
        new Rows(
            VOLATILE.table(),
            VOLATILE.target(),
            table.subject().group(),
            table.tenants,
            2,
            Notes.any(random()));
    int choice = random().nextInt(50);
    boolean truncated = choice < 2;
    boolean written = choice > 0;
    if (truncated) {
      former.stream().filter(each -> each != table.subject()).forEach(Subject::mayVanish);
    }
    session()
        .write(
            table.subject(),
            version -> written ? rows.state(version) : Map.of(),
            (connection, version) -> {
              if (truncated) {
                SourceSession.run(connection, "truncate " + VOLATILE.table());
              }
              if (written) {
                rows.upsert(connection, version);
              }
            });
    rest(100);
  }
}
