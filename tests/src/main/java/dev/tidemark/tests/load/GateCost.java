package dev.tidemark.tests.load;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.LongSupplier;

/**
 * What a gate costs: CPU time of the gateway for the same reads with {@code X-Required-LSN} and
 * without, in rounds that take turns, so that what else the machine does falls on both alike.
 */
public final class GateCost {

  private static final int CONNECTIONS = 8;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private GateCost() {}

  /**
   * CPU time by kind of read.
   *
   * @param ungated nanoseconds a round, one entry for each
   * @param gated the same with a position that is reached
   */
  public record Cost(List<Long> ungated, List<Long> gated) {
    public Cost {
      ungated = List.copyOf(ungated);
      gated = List.copyOf(gated);
    }

    /** The median of the gated rounds over that of the others; 1.1 is ten percent more. */
    public double ratio() {
      return (double) median(gated) / median(ungated);
    }

    /** The middle value. */
    public static long median(List<Long> values) {
      return values.stream().sorted().skip(values.size() / 2).findFirst().orElseThrow();
    }
  }

  /**
   * Measures.
   *
   * @param path of a read
   * @param position one that is reached
   * @param requests in a round
   * @param rounds of each kind; one more of each comes first and does not count
   * @param cpuNanos CPU time that the gateway has used so far
   * @throws IOException when an answer is not 200
   */
  public static Cost measure(
      URI gateway,
      String path,
      String token,
      String position,
      int requests,
      int rounds,
      LongSupplier cpuNanos)
      throws IOException, InterruptedException {
    String plain = "Authorization: Bearer " + token + "\r\n";
    String gate = plain + "X-Required-LSN: " + position + "\r\n";
    List<Long> ungated = new ArrayList<>();
    List<Long> gated = new ArrayList<>();
    for (int round = 0; round <= rounds; round++) {
      List<List<Long>> kinds = new ArrayList<>(List.of(ungated, gated));
      if (round % 2 == 1) {
        Collections.reverse(kinds);
      }
      for (List<Long> kind : kinds) {
        long before = cpuNanos.getAsLong();
        round(gateway, path, kind == gated ? gate : plain, requests);
        long used = cpuNanos.getAsLong() - before;
        if (round > 0) {
          kind.add(used);
        }
      }
    }
    return new Cost(ungated, gated);
  }

  private static void round(URI gateway, String path, String headers, int requests)
      throws IOException, InterruptedException {
    try (ExecutorService threads = Executors.newFixedThreadPool(CONNECTIONS)) {
      List<Callable<Void>> senders =
          Collections.nCopies(
              CONNECTIONS, () -> send(gateway, path, headers, requests / CONNECTIONS));
      for (Future<Void> sender : threads.invokeAll(senders)) {
        sender.get();
      }
    } catch (ExecutionException e) {
      throw new IOException("a read failed", e.getCause());
    }
  }

  @SuppressWarnings("NullAway") // Void has no other value
  private static Void send(URI gateway, String path, String headers, int requests)
      throws IOException {
    try (Wire wire = new Wire(gateway, PATIENCE)) {
      for (int i = 0; i < requests; i++) {
        wire.get(path, headers);
        Wire.Reply reply = wire.reply();
        if (reply.status() != 200) {
          throw new IOException("answered " + reply.status() + ": " + reply.body());
        }
      }
    }
    return null;
  }
}
