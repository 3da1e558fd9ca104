package dev.tidemark.client.jdbc;

import dev.tidemark.client.Position;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/**
 * The position of a commit, asked for after it. Thread-safe; each call is one query.
 *
 * <p>It is PostgreSQL's insert position, which every commit that has returned lies at or before.
 * {@code pg_current_wal_lsn()} is not enough: it lies before a commit that did not wait for its
 * flush ({@code synchronous_commit = off}). A position that is taken inside the open transaction is
 * not enough either.
 */
public final class TxPosition {

  private static final String SQL = "select pg_catalog.pg_current_wal_insert_lsn()::text";

  /** PostgreSQL's object_not_in_prerequisite_state: here, that the server is a standby. */
  private static final String STANDBY = "55000";

  private TxPosition() {}

  /**
   * The position now, on a connection of its own; call it after the commit. It cannot see whether a
   * transaction of yours is still open on another connection.
   *
   * @param source of the database that was written to; its primary server
   * @throws OpenTransactionException when the connection that the source gives is in a transaction,
   *     as that of a source that is bound to the caller's transaction is
   * @throws SQLException when the position cannot be read. The write is committed nevertheless: do
   *     not repeat it, and let readers ask for {@code latest}
   */
  public static Position afterCommit(DataSource source) throws SQLException {
    try (Connection connection = source.getConnection()) {
      return afterCommit(connection);
    }
  }

  /**
   * The position now, on the connection that committed. The connection stays as it is: in
   * manual-commit mode the transaction that the query begins is ended again.
   *
   * @param connection without an open transaction: in auto-commit mode, or in manual-commit mode
   *     right after {@link Connection#commit()}, which only pgjdbc can be asked about
   * @throws OpenTransactionException when a transaction is open, or when it cannot be told
   * @throws SQLException when the position cannot be read, as above
   */
  public static Position afterCommit(Connection connection) throws SQLException {
    TransactionState.requireNone(connection);
    if (connection.getAutoCommit()) {
      return query(connection);
    }
    try {
      Position position = query(connection);
      connection.rollback();
      return position;
    } catch (SQLException e) {
      rollback(connection, e);
      throw e;
    }
  }

  private static Position query(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(SQL)) {
      row.next();
      return Position.parse(row.getString(1));
    } catch (SQLException e) {
      if (STANDBY.equals(e.getSQLState())) {
        throw new SQLException(
            "the position of a commit can be read on the primary server only, and this connection"
                + " leads to a standby: use the DataSource that the write went through",
            STANDBY,
            e);
      }
      throw e;
    }
  }

  private static void rollback(Connection connection, SQLException failure) {
    try {
      connection.rollback();
    } catch (SQLException e) {
      failure.addSuppressed(e);
    }
  }
}
