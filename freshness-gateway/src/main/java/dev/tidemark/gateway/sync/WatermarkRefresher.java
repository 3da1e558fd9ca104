package dev.tidemark.gateway.sync;

import dev.tidemark.gateway.db.SqlFailures;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the watermark table four times a second into the board, so that a lost notification delays
 * nobody for longer.
 */
public final class WatermarkRefresher implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(WatermarkRefresher.class);
  private static final Duration INTERVAL = Duration.ofMillis(250);

  private final Watermarks watermarks;
  private final WatermarkBoard board;
  private final EventRate rate;
  private final Thread thread;
  private boolean failing;

  /** Starts reading. */
  public WatermarkRefresher(Watermarks watermarks, WatermarkBoard board, EventRate rate) {
    this.watermarks = watermarks;
    this.board = board;
    this.rate = rate;
    this.thread = Thread.ofVirtual().name("watermark-refresher").unstarted(this::run);
  }

  /** Begins the re-reads. */
  public void start() {
    thread.start();
  }

  /** Reads once, now. */
  public synchronized void refresh() {
    try {
      List<PartitionState> states = watermarks.read();
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
    }
  }

  @Override
  public void close() {
    thread.interrupt();
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
