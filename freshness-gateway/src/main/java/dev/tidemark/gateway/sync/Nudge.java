package dev.tidemark.gateway.sync;

import dev.tidemark.gateway.db.Database;
import dev.tidemark.gateway.db.SqlFailures;
import dev.tidemark.topics.Lsn;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Optional;
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
  private final AtomicBoolean running = new AtomicBoolean();

  /** These three are guarded by this object, and belong to one history of the source. */
  private Lsn covered = Lsn.ZERO;

  private Lsn wanted = Lsn.ZERO;
  private int turns;

  public Nudge(Database source, SourcePosition position) {
    this.source = source;
    this.position = position;
  }

  /** Sees to it that the position will be reached; returns at once. */
  public void request(Lsn required) {
    if (want(required)) {
      start();
    }
  }

  private synchronized boolean want(Lsn required) {
    followTurns();
    if (covered.reaches(required)) {
      return false;
    }
    wanted = wanted.max(required);
    return true;
  }

  /** What was written into another history covers nothing in this one. */
  private void followTurns() {
    if (turns != position.turns()) {
      turns = position.turns();
      covered = Lsn.ZERO;
      wanted = Lsn.ZERO;
    }
  }

  /** What is wanted and not covered. */
  private synchronized Optional<Lsn> open() {
    followTurns();
    return covered.reaches(wanted) ? Optional.empty() : Optional.of(wanted);
  }

  private synchronized void reached(Lsn target, Lsn reached, int before) {
    followTurns();
    if (turns != before) {
      return;
    }
    covered = covered.max(reached);
    if (target.isAfter(reached) && wanted.equals(target)) {
      // The log does not go that far, so no message can: do not go on for it.
      wanted = reached;
    }
  }

  private void start() {
    if (running.compareAndSet(false, true)) {
      Thread.ofVirtual().name("nudge").start(this::run);
    }
  }

  private void run() {
    boolean emitted = true;
    try {
      for (Optional<Lsn> target = open(); emitted && target.isPresent(); target = open()) {
        emitted = emit(target.get());
        Thread.sleep(emitted ? PAUSE : PAUSE_AFTER_FAILURE);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return;
    } finally {
      running.set(false);
    }
    // A request may have come between the last look and the line above.
    if (emitted && open().isPresent()) {
      start();
    }
  }

  private boolean emit(Lsn target) {
    int before = position.turns();
    long askedAt = System.nanoTime();
    try {
      Lsn reached = source.call(Nudge::emit);
      position.saw(askedAt, reached);
      reached(target, reached, before);
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
