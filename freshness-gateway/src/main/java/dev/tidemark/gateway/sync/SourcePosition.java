package dev.tidemark.gateway.sync;

import dev.tidemark.gateway.db.Database;
import dev.tidemark.topics.Generation;
import dev.tidemark.topics.Lsn;
import dev.tidemark.topics.ServerIdentity;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;

/**
 * Where the source's log ends. It is the insert position: {@code pg_current_wal_lsn()} lies before
 * a commit that did not wait for its flush, so a token made from it could be too early.
 *
 * <p>Thread-safe. What was seen is remembered in a {@link SourceLog}, so that the source need not
 * be asked whether a position exists, or where its log ended a moment ago; and it is forgotten when
 * the source turns out to be another one.
 */
public final class SourcePosition {

  private static final String SQL =
      "select pg_catalog.pg_current_wal_insert_lsn()::text, "
          + ServerIdentity.COLUMNS
          + " from pg_catalog.pg_control_system()";

  private final Database source;
  private final SourceLog log = new SourceLog();

  public SourcePosition(Database source) {
    this.source = source;
  }

  /** The position now. */
  public Lsn now() throws SQLException {
    return source.call(this::now);
  }

  /** The position now, asked on a connection whose transaction is over. */
  public Lsn now(Connection connection) throws SQLException {
    long askedAt = System.nanoTime();
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(SQL)) {
      row.next();
      Lsn lsn = Lsn.parse(row.getString(1));
      ServerIdentity server = new ServerIdentity(row.getString(2), row.getInt(3), row.getString(4));
      log.saw(askedAt, System.nanoTime(), lsn, server);
      return lsn;
    }
  }

  /** Whether the source's log is known to reach the position, without asking it. */
  public boolean known(Lsn position) {
    return log.reaches(position);
  }

  /** Whether the source's log reaches the position; asks only when that is not known yet. */
  public boolean exists(Lsn position) throws SQLException {
    return known(position) || now().reaches(position);
  }

  /**
   * The lowest known position that lies behind everything that was committed before the time; empty
   * when the source has not been asked since. It is not asked.
   *
   * @param nanos as {@link System#nanoTime}
   */
  public Optional<Lsn> notBefore(long nanos) {
    return log.notBefore(nanos);
  }

  /**
   * Whether the generation counts the positions of the source's present log, as far as that is
   * known; no longer after a failover, until capture has begun another one.
   */
  public boolean writes(Generation generation) {
    return log.writes(generation);
  }

  /** How often the source's log was found to be another one than before. */
  int turns() {
    return log.turns();
  }

  /**
   * Remembers that the log reaches the position.
   *
   * @param askedAt before the position was asked for
   */
  void saw(long askedAt, Lsn lsn) {
    log.saw(askedAt, System.nanoTime(), lsn, null);
  }
}
