package dev.tidemark.gateway.sync;

import dev.tidemark.gateway.db.Database;
import dev.tidemark.gateway.db.SqlFailures;
import dev.tidemark.topics.Lsn;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes a position reachable while the source is idle: a message in the log at or behind it, which
 * capture meets in its stream. One message covers all positions before it, and there is at most one
 * in 20 ms. Thread-safe; requests never wait for it.
 */
public final class Nudge {

  private static final Logger LOG = LoggerFactory.getLogger(Nudge.class);
  private static final Duration PAUSE = Duration.ofMillis(20);
  private static final Duration PAUSE_AFTER_FAILURE = Duration.ofMillis(500);

  /** PostgreSQL 17 flushes the message when told to. */
  private static final String EMIT_FLUSHED =
      "select pg_catalog.pg_logical_emit_message(false, 'tidemark', '', true)::text";

  /**
   * Before 17 a message lies unflushed for up to wal_writer_delay. A transaction id makes the
   * commit write a record, and wait for it, so that the message can be sent at once.
   */
  private static final String EMIT_AND_COMMIT =
      "select pg_catalog.pg_logical_emit_message(false, 'tidemark', '')::text,"
          + " pg_catalog.pg_current_xact_id()::text,"
          + " pg_catalog.set_config('synchronous_commit', 'local', true)";

  private final Database source;
  private final SourcePosition position;
  private final HighestLsn covered = new HighestLsn();
  private final HighestLsn wanted = new HighestLsn();
  private final AtomicBoolean running = new AtomicBoolean();

  public Nudge(Database source, SourcePosition position) {
    this.source = source;
    this.position = position;
  }

  /** Sees to it that the position will be reached; returns at once. */
  public void request(Lsn required) {
    if (covered.get().reaches(required)) {
      return;
    }
    wanted.raise(required);
    start();
  }

  private void start() {
    if (running.compareAndSet(false, true)) {
      Thread.ofVirtual().name("nudge").start(this::run);
    }
  }

  private void run() {
    boolean emitted = true;
    try {
      while (emitted && !covered.get().reaches(wanted.get())) {
        emitted = emit(wanted.get());
        Thread.sleep(emitted ? PAUSE : PAUSE_AFTER_FAILURE);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return;
    } finally {
      running.set(false);
    }
    // A request may have come between the last look and the line above.
    if (emitted && !covered.get().reaches(wanted.get())) {
      start();
    }
  }

  private boolean emit(Lsn target) {
    try {
      Lsn reached = position.saw(source.call(Nudge::emit));
      covered.raise(reached);
      if (target.isAfter(reached)) {
        // The log does not go that far, so no message can: do not go on for it.
        wanted.lower(target, reached);
      }
      return true;
    } catch (SQLException e) {
      LOG.atWarn()
          .addKeyValue("sqlState", SqlFailures.state(e))
          .log("the source took no message for a waiting read; the read waits for other traffic");
      return false;
    }
  }

  private static Lsn emit(Connection connection) throws SQLException {
    boolean flushes = connection.getMetaData().getDatabaseMajorVersion() >= 17;
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(flushes ? EMIT_FLUSHED : EMIT_AND_COMMIT)) {
      row.next();
      return Lsn.parse(row.getString(1));
    }
  }
}
