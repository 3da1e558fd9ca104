package dev.tidemark.tests.load;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;

/**
 * Many reads that wait for one position at once ({@code Prefer: wait}), each on a connection of its
 * own. The position is to be reached by the caller when all are parked, which the gateway's metric
 * {@code tidemark_waits_parked} tells. Each read has a virtual thread; thread-safe.
 */
public final class ParkedReads implements AutoCloseable {

  /** Connections that are being opened at once: the gateway's queue of them is finite. */
  private static final int OPENING = 64;

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final List<Future<Ending>> endings = new ArrayList<>();

  /**
   * One read.
   *
   * @param path of the request, with its query
   * @param token a bearer token
   */
  public record Read(String path, String token) {

    /** Leaves the token out. */
    @Override
    public String toString() {
      return "Read[" + path + "]";
    }
  }

  /**
   * How a read ended.
   *
   * @param read which
   * @param status HTTP's; 0 when the connection was lost
   * @param body of the answer, or what happened to the connection
   * @param nanos when the answer had come, as {@link System#nanoTime}
   */
  public record Ending(Read read, int status, String body, long nanos) {}

  /**
   * Sends all reads; returns before they are parked.
   *
   * @param position for {@code X-Required-LSN}
   * @param wait for {@code Prefer: wait}, whole seconds
   */
  public ParkedReads(URI gateway, List<Read> reads, String position, Duration wait) {
    Semaphore opening = new Semaphore(OPENING);
    for (Read read : reads) {
      endings.add(threads.submit(() -> send(gateway, read, position, wait, opening)));
    }
  }

  private static Ending send(
      URI gateway, Read read, String position, Duration wait, Semaphore opening)
      throws InterruptedException {
    String headers =
        "Authorization: Bearer %s\r\nX-Required-LSN: %s\r\nPrefer: wait=%d\r\n"
            .formatted(read.token(), position, wait.toSeconds());
    opening.acquire();
    boolean opened = false;
    try (Wire wire = new Wire(gateway, wait.plusSeconds(60))) {
      wire.get(read.path(), headers);
      opening.release();
      opened = true;
      Wire.Reply reply = wire.reply();
      return new Ending(read, reply.status(), reply.body(), System.nanoTime());
    } catch (IOException e) {
      return new Ending(read, 0, e.toString(), System.nanoTime());
    } finally {
      if (!opened) {
        opening.release();
      }
    }
  }

  /** Waits until every read has ended; in the order in which they were given. */
  public List<Ending> endings() throws InterruptedException {
    List<Ending> all = new ArrayList<>();
    for (Future<Ending> ending : endings) {
      try {
        all.add(ending.get());
      } catch (ExecutionException e) {
        throw new IllegalStateException("a read could not be sent", e.getCause());
      }
    }
    return all;
  }

  /** Gives up on reads that have not ended. */
  @Override
  public void close() {
    threads.shutdownNow();
    threads.close();
  }
}
