package dev.tidemark.gateway.sync;

import dev.tidemark.gateway.db.Database;
import dev.tidemark.topics.Lsn;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Where the source's log ends. It is the insert position: {@code pg_current_wal_lsn()} lies before
 * a commit that did not wait for its flush, so a token made from it could be too early.
 *
 * <p>Thread-safe. Positions once seen are remembered, so that it need not ask whether they exist.
 */
public final class SourcePosition {

  private static final String SQL = "select pg_catalog.pg_current_wal_insert_lsn()::text";

  private final Database source;
  private final HighestLsn seen = new HighestLsn();

  public SourcePosition(Database source) {
    this.source = source;
  }

  /** The position now. */
  public Lsn now() throws SQLException {
    return source.call(this::now);
  }

  /** The position now, asked on a connection whose transaction is over. */
  public Lsn now(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(SQL)) {
      row.next();
      return saw(Lsn.parse(row.getString(1)));
    }
  }

  /** Whether the source's log is known to reach the position, without asking it. */
  public boolean known(Lsn position) {
    return seen.get().reaches(position);
  }

  /** Whether the source's log reaches the position; asks only when that is not known yet. */
  public boolean exists(Lsn position) throws SQLException {
    return known(position) || now().reaches(position);
  }

  /** Remembers that the log reaches the position. */
  Lsn saw(Lsn position) {
    seen.raise(position);
    return position;
  }
}
