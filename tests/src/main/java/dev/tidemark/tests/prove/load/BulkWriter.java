package dev.tidemark.tests.prove.load;

import static dev.tidemark.tests.prove.system.Schema.Kind.BULK;

import dev.tidemark.tests.prove.history.Subject;
import java.util.Map;
import java.util.Random;

/** Transactions with rows of ten tenants, which may be many, or take long. Not thread-safe. */
public final class BulkWriter implements AutoCloseable {

  private static final int TENANTS = 10;
  private static final int NOTE = 300;

  private final Context context;
  private final SourceSession session;
  private final Random random;
  private final int each;
  private final long pauseMs;
  private Subject subject;
  private boolean written;

  /**
   * Its choices follow from the seed.
   *
   * @param each rows of each tenant
   * @param pauseMs how long a transaction stays open when its rows are written
   */
  public BulkWriter(Context context, long seed, int each, long pauseMs) {
    this.context = context;
    this.each = each;
    this.pauseMs = pauseMs;
    this.session = new SourceSession(context, false);
    this.random = new Random(seed);
    this.subject = context.subjects().fresh("bulk");
  }

  /** Writes all rows, or deletes them. */
  public void write() {
    if (subject.retired()) {
      subject = context.subjects().fresh("bulk");
      written = false;
    }
    Rows rows =
        new Rows(
            BULK.table(),
            BULK.target(),
            subject.group(),
            Context.TENANTS.subList(0, TENANTS),
            each,
            Notes.text(random, NOTE));
    boolean delete = written && random.nextInt(3) == 0;
    session.write(
        subject,
        version -> delete ? Map.of() : rows.state(version),
        (connection, version) -> {
          if (delete) {
            rows.delete(connection);
          } else {
            rows.upsert(connection, version);
          }
          Worker.rest(pauseMs);
          written = !delete;
        });
  }

  @Override
  public void close() {
    session.close();
  }
}
