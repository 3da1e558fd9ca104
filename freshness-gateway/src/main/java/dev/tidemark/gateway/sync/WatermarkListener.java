package dev.tidemark.gateway.sync;

import dev.tidemark.gateway.db.Database;
import dev.tidemark.gateway.db.SqlFailures;
import dev.tidemark.topics.Lsn;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hears the projector's notifications on one connection of its own, and connects again when that is
 * lost. Nothing depends on it but speed: what it misses, {@link WatermarkRefresher} finds.
 */
public final class WatermarkListener implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(WatermarkListener.class);

  /** So that a dead connection, or one the server closes for idleness, is noticed. */
  private static final Duration PROBE = Duration.ofSeconds(1);

  private static final Duration MAX_PAUSE = Duration.ofSeconds(2);

  private final Database replica;
  private final String pipeline;
  private final WatermarkBoard board;
  private final Runnable connected;
  private final Thread thread;
  private volatile boolean closed;
  private volatile @Nullable Connection connection;

  /**
   * Starts listening.
   *
   * @param connected called after each LISTEN, to re-read what was missed before it
   */
  public WatermarkListener(
      Database replica, String pipeline, WatermarkBoard board, Runnable connected) {
    this.replica = replica;
    this.pipeline = pipeline;
    this.board = board;
    this.connected = connected;
    // A thread of the system: thousands of requests that run must not hold the news up.
    this.thread = Thread.ofPlatform().name("watermark-listener").daemon().start(this::run);
  }

  @Override
  public void close() {
    closed = true;
    thread.interrupt();
    Connection open = connection;
    if (open != null) {
      try {
        open.abort(Runnable::run);
      } catch (SQLException e) {
        LOG.atDebug().setCause(e).log("the listening connection was closed already");
      }
    }
  }

  private void run() {
    Duration pause = Duration.ZERO;
    while (!closed) {
      try {
        Thread.sleep(pause);
        try (Connection fresh = replica.dedicated()) {
          connection = fresh;
          pause = Duration.ofMillis(50);
          listen(fresh);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      } catch (SQLException e) {
        if (!closed) {
          LOG.atWarn()
              .addKeyValue("sqlState", SqlFailures.state(e))
              .log("the connection that hears of watermarks was lost; connecting again");
        }
        Duration doubled = pause.multipliedBy(2).plusMillis(50);
        pause = doubled.compareTo(MAX_PAUSE) > 0 ? MAX_PAUSE : doubled;
      }
    }
  }

  private void listen(Connection fresh) throws SQLException {
    try (Statement statement = fresh.createStatement()) {
      statement.execute("listen tidemark_watermark");
      connected.run();
      PGConnection notifications = fresh.unwrap(PGConnection.class);
      while (!closed) {
        PGNotification[] heard = notifications.getNotifications((int) PROBE.toMillis());
        if (heard.length == 0) {
          statement.execute("select 1");
        }
        for (PGNotification notification : heard) {
          take(notification.getParameter());
        }
      }
    }
  }

  /** The payload is {@code pipeline partition lsn}; a pipeline's name may hold spaces. */
  private void take(String payload) {
    int lsnAt = payload.lastIndexOf(' ');
    int partitionAt = payload.lastIndexOf(' ', lsnAt - 1);
    if (partitionAt < 0 || !payload.substring(0, partitionAt).equals(pipeline)) {
      return;
    }
    try {
      board.notified(
          Integer.parseInt(payload.substring(partitionAt + 1, lsnAt)),
          Lsn.parse(payload.substring(lsnAt + 1)));
    } catch (IllegalArgumentException e) {
      LOG.atWarn().log("a notification on tidemark_watermark was not understood and left out");
    }
  }
}
