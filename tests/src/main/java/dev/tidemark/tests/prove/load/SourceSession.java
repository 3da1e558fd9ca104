package dev.tidemark.tests.prove.load;

import dev.tidemark.tests.prove.history.Figures.Figure;
import dev.tidemark.tests.prove.history.Place;
import dev.tidemark.tests.prove.history.Subject;
import dev.tidemark.tests.prove.history.Write;
import dev.tidemark.topics.Lsn;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Writes to the source over JDBC, and takes the position after each commit, as a program does that
 * writes to its own tables. It knows of each write whether it is committed, is not, or may be. Not
 * thread-safe.
 */
public final class SourceSession implements AutoCloseable {

  private static final long PAUSE_AFTER_FAILURE_MS = 200;

  private final Context context;
  private final boolean asynchronous;
  private @Nullable Connection connection;

  /**
   * A session that connects when it is needed.
   *
   * @param asynchronous whether it commits without waiting for the disk
   */
  public SourceSession(Context context, boolean asynchronous) {
    this.context = context;
    this.asynchronous = asynchronous;
  }

  /** Statements of a transaction. */
  @FunctionalInterface
  public interface Work {
    /** Runs them. */
    void run(Connection connection, long version) throws SQLException;
  }

  /** Writes a subject in one transaction. */
  public void write(Subject subject, LongFunction<Map<Place, String>> states, Work work) {
    Write write = subject.begin(states, asynchronous, context.crashes().count());
    Connection open;
    try {
      open = connection();
      work.run(open, write.version());
    } catch (SQLException e) {
      // No COMMIT has been sent, so whatever became of the connection, nothing is committed.
      subject.notDone(write);
      failed(write, subject, e);
      return;
    }
    Lsn before = context.crashes().issued();
    try {
      open.commit();
    } catch (SQLException e) {
      subject.unknown(write);
      context.figures().count(Figure.UNKNOWN_WRITES);
      failed(write, subject, e);
      return;
    }
    if (!asynchronous) {
      context.crashes().flushed(before);
    }
    Optional<Lsn> token = position(open);
    token.ifPresent(context.crashes()::issued);
    subject.committed(write, token.orElse(null), context.crashes().count());
    context.figures().count(Figure.WRITES);
    context
        .journal()
        .line("write " + subject.group() + " v" + write.version() + " token " + token.orElse(null));
    token.ifPresent(
        lsn -> {
          context.figures().count(Figure.TOKENS);
          context
              .followers()
              .offer(new Followers.Token(subject, write, lsn, "", System.nanoTime()));
        });
  }

  private void failed(Write write, Subject subject, SQLException e) {
    context.figures().count(Figure.REFUSED);
    context
        .journal()
        .line(
            "write "
                + subject.group()
                + " v"
                + write.version()
                + " failed "
                + e.getSQLState()
                + " "
                + e.getMessage());
    close();
    Worker.rest(PAUSE_AFTER_FAILURE_MS);
  }

  private Connection connection() throws SQLException {
    Connection open = connection;
    if (open == null) {
      open = context.tidemark().source().connect();
      connection = open;
      try (Statement statement = open.createStatement()) {
        statement.execute("set lock_timeout = '5s'");
        if (asynchronous) {
          statement.execute("set synchronous_commit = off");
        }
      }
      open.setAutoCommit(false);
    }
    return open;
  }

  private Optional<Lsn> position(Connection open) {
    try {
      open.setAutoCommit(true);
      try (Statement statement = open.createStatement();
          ResultSet row = statement.executeQuery("select pg_current_wal_insert_lsn()::text")) {
        row.next();
        return Optional.of(Lsn.parse(row.getString(1)));
      } finally {
        open.setAutoCommit(false);
      }
    } catch (SQLException e) {
      close();
      return Optional.empty();
    }
  }

  /** Runs a statement with text parameters; gives how many rows it hit. */
  static int run(Connection connection, String sql, Object... parameters) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < parameters.length; i++) {
        statement.setObject(i + 1, parameters[i]);
      }
      return statement.executeUpdate();
    }
  }

  /** Runs a statement that must hit so many rows: the writer knows what is there. */
  static void hit(int rows, Connection connection, String sql, Object... parameters)
      throws SQLException {
    int found = run(connection, sql, parameters);
    if (found != rows) {
      throw new IllegalStateException(
          "the source holds other rows than were written: " + sql + " hit " + found + " rows");
    }
  }

  @Override
  public void close() {
    Connection open = connection;
    connection = null;
    if (open != null) {
      try {
        open.close();
      } catch (SQLException e) {
        context.journal().line("a connection did not close cleanly: " + e.getMessage());
      }
    }
  }
}
