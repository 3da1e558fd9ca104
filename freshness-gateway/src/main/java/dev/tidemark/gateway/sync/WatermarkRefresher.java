package dev.tidemark.gateway.sync;

import dev.tidemark.gateway.db.SqlFailures;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the watermark table four times a second into the board, so that a lost notification delays
 * nobody for longer. What waits and what does not depends on the board, most of all under load: so
 * this has a thread and a connection of its own, and queues behind no request.
 */
public final class WatermarkRefresher implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(WatermarkRefresher.class);
  private static final Duration INTERVAL = Duration.ofMillis(250);

  private final Watermarks watermarks;
  private final WatermarkBoard board;
  private final EventRate rate;
  private final Thread thread;

  /** Changed while this object is held. */
  private volatile @Nullable Connection connection;

  /** Guarded by this object. */
  private boolean failing;

  /** Starts reading. */
  public WatermarkRefresher(Watermarks watermarks, WatermarkBoard board, EventRate rate) {
    this.watermarks = watermarks;
    this.board = board;
    this.rate = rate;
    this.thread = Thread.ofPlatform().name("watermark-refresher").daemon().unstarted(this::run);
  }

  /** Begins the re-reads. */
  public void start() {
    thread.start();
  }

  /** Reads once, now. */
  public synchronized void refresh() {
    try {
      Connection open = connection;
      if (open == null) {
        open = watermarks.connect();
        connection = open;
      }
      List<PartitionState> states = watermarks.read(open);
      board.refreshed(states);
      rate.saw(System.nanoTime(), states);
      failing = false;
    } catch (SQLException e) {
      if (!failing && !board.closed()) {
        LOG.atWarn()
            .addKeyValue("sqlState", SqlFailures.state(e))
            .log("the watermark table can't be read; trying on");
      }
      failing = true;
      disconnect();
      connection = null;
    }
  }

  /** Does not wait for a read that hangs on it. */
  private void disconnect() {
    Connection open = connection;
    if (open != null) {
      try {
        open.abort(Runnable::run);
      } catch (SQLException e) {
        LOG.atDebug().setCause(e).log("the connection was closed already");
      }
    }
  }

  @Override
  public void close() {
    thread.interrupt();
    disconnect();
  }

  private void run() {
    try {
      while (!board.closed()) {
        Thread.sleep(INTERVAL);
        refresh();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
