package dev.tidemark.tests.prove.load;

import dev.tidemark.tests.prove.history.Content;
import dev.tidemark.tests.prove.history.Figures.Figure;
import dev.tidemark.tests.prove.history.Place;
import dev.tidemark.tests.prove.history.Row;
import dev.tidemark.tests.prove.history.Subject;
import dev.tidemark.tests.prove.history.View;
import dev.tidemark.tests.prove.system.Schema;
import dev.tidemark.topics.Lsn;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Reads the replica over JDBC as its documentation says: watermark and rows in one snapshot, under
 * row-level security; of subjects in two tables both at once.
 */
public final class JdbcReader extends Worker {

  private static final long PAUSE_MS = 15;
  private static final long PAUSE_AFTER_FAILURE_MS = 200;

  private final Random random;
  private @Nullable Connection connection;

  /** Its choices follow from the seed. */
  public JdbcReader(int number, Context context, long seed) {
    super("jdbc-reader-" + number, context);
    this.random = new Random(seed);
  }

  @Override
  void step() {
    rest(PAUSE_MS);
    Optional<Subject> any = context().subjects().any(random);
    if (any.isEmpty()) {
      return;
    }
    Subject subject = any.get();
    List<Place> places = subject.places();
    if (places.isEmpty()) {
      return;
    }
    try {
      read(subject, places.get(random.nextInt(places.size())).tenant());
    } catch (SQLException e) {
      context().figures().count(Figure.REFUSED);
      context().journal().line("JDBC read refused: " + e.getMessage());
      close();
      rest(PAUSE_AFTER_FAILURE_MS);
    }
  }

  /** Reads every subject as every tenant that it has had rows of. */
  public void sweep() throws SQLException {
    for (Subject subject : context().subjects().all()) {
      for (String tenant : subject.places().stream().map(Place::tenant).distinct().toList()) {
        read(subject, tenant);
      }
    }
  }

  private void read(Subject subject, String tenant) throws SQLException {
    List<String> targets =
        subject.places().stream()
            .filter(place -> place.tenant().equals(tenant))
            .map(Place::target)
            .distinct()
            .sorted()
            .toList();
    View view = new View(targets, tenant);
    int partition = context().watermarks().partition(tenant);
    Lsn floor = context().watermarks().floor(partition);
    Connection open = connection();
    Lsn reached;
    List<String> contents = new ArrayList<>();
    try (PreparedStatement watermark =
        open.prepareStatement(
            "select lsn::text from tidemark_watermark where pipeline = ? and partition = ?")) {
      watermark.setString(1, Schema.PIPELINE);
      watermark.setInt(2, partition);
      try (ResultSet row = watermark.executeQuery()) {
        row.next();
        reached = Lsn.parse(row.getString(1));
      }
    }
    try (PreparedStatement bind =
        open.prepareStatement("select set_config('tidemark.tenant', ?, true)")) {
      bind.setString(1, tenant);
      bind.execute();
    }
    for (String target : view.targets()) {
      contents.add(content(open, target, subject.group()));
    }
    open.commit();
    String what = "JDBC read of " + view.targets() + " as " + tenant;
    context().violation(context().watermarks().told(partition, floor, reached), subject);
    context().violation(subject.judge(view, Content.joined(contents), reached, what), subject);
    context().figures().count(Figure.JDBC_READS);
    context().journal().line(what + " at " + reached + " " + contents);
  }

  private static String content(Connection open, String target, String group) throws SQLException {
    String id = target.equals(Schema.DOCUMENTS) ? "name" : "id";
    try (PreparedStatement statement =
        open.prepareStatement(
            "select " + id + ", version, owner, note from " + target + " where grp = ?")) {
      statement.setString(1, group);
      try (ResultSet row = statement.executeQuery()) {
        List<Row> rows = new ArrayList<>();
        while (row.next()) {
          rows.add(new Row(row.getString(1), row.getLong(2), row.getString(3), row.getString(4)));
        }
        return Content.of(rows);
      }
    }
  }

  private Connection connection() throws SQLException {
    Connection open = connection;
    if (open == null) {
      open = context().tidemark().reader();
      connection = open;
      open.setAutoCommit(false);
      open.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
    }
    return open;
  }

  @Override
  public void close() {
    Connection open = connection;
    connection = null;
    if (open != null) {
      try {
        open.close();
      } catch (SQLException e) {
        context().journal().line("a connection did not close cleanly: " + e.getMessage());
      }
    }
  }
}
