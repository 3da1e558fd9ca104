package dev.tidemark.gateway.sync;

import dev.tidemark.gateway.json.JsonObjectWriter;
import dev.tidemark.gateway.problem.Problem;
import dev.tidemark.gateway.problem.ProblemKind;
import dev.tidemark.topics.Lsn;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.concurrent.Semaphore;

/**
 * The watermark as server-sent events. Each client has a virtual thread and no queue: a slow client
 * is sent the latest picture when it is ready for one, so nothing piles up. An event describes a
 * state, not a change, so events carry no id and a client that comes back misses nothing.
 */
public final class WatermarkStream {

  private static final Duration HEARTBEAT = Duration.ofSeconds(15);
  private static final int MAX_CLIENTS = 500;

  private final WatermarkBoard board;
  private final Clock clock;
  private final Semaphore clients = new Semaphore(MAX_CLIENTS);

  public WatermarkStream(WatermarkBoard board, Clock clock) {
    this.board = board;
    this.clock = clock;
  }

  /** How many clients are served now. */
  public int clients() {
    return MAX_CLIENTS - clients.availablePermits();
  }

  /** Serves one client until it goes, or until the time is over. */
  void serve(HttpServletResponse response, Instant until) throws IOException, InterruptedException {
    if (!clients.tryAcquire()) {
      throw Problem.of(
              ProblemKind.TOO_MANY_STREAMS,
              "This gateway serves " + MAX_CLIENTS + " event streams and no more. Try again.")
          .exception();
    }
    try {
      response.setContentType("text/event-stream;charset=UTF-8");
      response.setHeader("X-Accel-Buffering", "no");
      send(response.getOutputStream(), until);
    } finally {
      clients.release();
    }
  }

  private void send(ServletOutputStream out, Instant until)
      throws IOException, InterruptedException {
    WatermarkBoard.Picture picture = board.picture();
    write(out, event(picture));
    while (!board.closed()) {
      Duration left = Duration.between(clock.instant(), until);
      if (!left.isPositive()) {
        return;
      }
      boolean changed =
          board.awaitChange(picture.version(), left.compareTo(HEARTBEAT) < 0 ? left : HEARTBEAT);
      picture = board.picture();
      write(out, changed ? event(picture) : ": still here\n\n");
    }
  }

  private static void write(ServletOutputStream out, String text) throws IOException {
    out.write(text.getBytes(StandardCharsets.UTF_8));
    out.flush();
  }

  private static String event(WatermarkBoard.Picture picture) {
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
    return "event: watermark\ndata: "
        + new JsonObjectWriter()
            .text("replicatedLsn", replicated)
            .raw("partitions", partitions.append(']').toString())
            .json()
        + "\n\n";
  }
}
