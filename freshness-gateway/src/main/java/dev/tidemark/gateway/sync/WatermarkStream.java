package dev.tidemark.gateway.sync;

import dev.tidemark.gateway.json.JsonObjectWriter;
import dev.tidemark.gateway.problem.Problem;
import dev.tidemark.gateway.problem.ProblemKind;
import dev.tidemark.topics.Lsn;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.concurrent.Semaphore;

/**
 * The watermark and the status as server-sent events. Each client has a virtual thread and no
 * queue: a slow client is sent the latest picture when it is ready for one, so nothing piles up. An
 * event describes a state, not a change, so events carry no id and a client that comes back misses
 * nothing.
 */
public final class WatermarkStream {

  private static final Duration HEARTBEAT = Duration.ofSeconds(15);
  private static final int MAX_CLIENTS = 500;

  private final WatermarkBoard board;
  private final StatusFeed feed;
  private final Clock clock;
  private final Duration heartbeat;
  private final Semaphore clients = new Semaphore(MAX_CLIENTS);

  public WatermarkStream(WatermarkBoard board, StatusFeed feed, Clock clock) {
    this(board, feed, clock, HEARTBEAT);
  }

  /**
   * Serves clients.
   *
   * @param heartbeat after this time without an event a comment is sent
   */
  WatermarkStream(WatermarkBoard board, StatusFeed feed, Clock clock, Duration heartbeat) {
    this.board = board;
    this.feed = feed;
    this.clock = clock;
    this.heartbeat = heartbeat;
  }

  /** How many clients are served now. */
  public int clients() {
    return MAX_CLIENTS - clients.availablePermits();
  }

  /**
   * Serves one client until it goes, or until the time is over.
   *
   * @param keys whether the status names the rows that partitions are stopped at
   */
  void serve(HttpServletResponse response, Instant until, boolean keys)
      throws IOException, InterruptedException {
    if (!clients.tryAcquire()) {
      throw Problem.of(
              ProblemKind.TOO_MANY_STREAMS,
              "This gateway serves " + MAX_CLIENTS + " event streams and no more. Try again.")
          .exception();
    }
    try (StatusFeed.Listening listening = feed.listen()) {
      response.setContentType("text/event-stream;charset=UTF-8");
      response.setHeader("X-Accel-Buffering", "no");
      send(response.getOutputStream(), until, keys);
    } finally {
      clients.release();
    }
  }

  /** Writes events until the time is over or the board is closed. */
  void send(OutputStream out, Instant until, boolean keys)
      throws IOException, InterruptedException {
    long told = 0;
    WatermarkBoard.Picture picture = board.picture();
    StringBuilder news = new StringBuilder(watermark(picture));
    while (true) {
      Optional<StatusFeed.Latest> latest = feed.latest();
      if (latest.isPresent() && latest.get().number() != told) {
        told = latest.get().number();
        news.append(event("status", latest.get().status().json(keys)));
      }
      write(out, news.isEmpty() ? ": still here\n\n" : news.toString());
      news.setLength(0);
      Duration left = Duration.between(clock.instant(), until);
      if (board.closed() || !left.isPositive()) {
        return;
      }
      board.awaitChange(picture.version(), left.compareTo(heartbeat) < 0 ? left : heartbeat);
      WatermarkBoard.Picture next = board.picture();
      if (!next.heard().equals(picture.heard())) {
        news.append(watermark(next));
      }
      picture = next;
    }
  }

  private static void write(OutputStream out, String text) throws IOException {
    out.write(text.getBytes(StandardCharsets.UTF_8));
    out.flush();
  }

  private static String watermark(WatermarkBoard.Picture picture) {
    StringBuilder partitions = new StringBuilder("[");
    for (int i = 0; i < picture.heard().size(); i++) {
      partitions
          .append(i == 0 ? "" : ",")
          .append(
              new JsonObjectWriter()
                  .value("partition", i)
                  .text("lsn", picture.heard().get(i))
                  .json());
    }
    Lsn replicated = picture.heard().stream().min(Comparator.naturalOrder()).orElse(Lsn.ZERO);
    return event(
        "watermark",
        new JsonObjectWriter()
            .text("replicatedLsn", replicated)
            .raw("partitions", partitions.append(']').toString())
            .json());
  }

  private static String event(String type, String json) {
    return "event: " + type + "\ndata: " + json + "\n\n";
  }
}
