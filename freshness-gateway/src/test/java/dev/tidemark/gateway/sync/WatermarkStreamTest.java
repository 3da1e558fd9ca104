package dev.tidemark.gateway.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tidemark.gateway.problem.Problem;
import dev.tidemark.gateway.problem.ProblemKind;
import dev.tidemark.topics.Lsn;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a client gets, also when there is nothing to tell. */
@Timeout(30)
class WatermarkStreamTest {

  private static final Duration NEVER = Duration.ofHours(1);
  private static final String STILL_HERE = ": still here\n\n";

  private final WatermarkBoard board = new WatermarkBoard(1);

  /** The replica can't be read, so there is no status; {@link StatusFeedTest} is about those. */
  private final StatusFeed silent =
      new StatusFeed(
          () -> {
            throw Problem.of(ProblemKind.DATABASE_UNAVAILABLE, "down").exception();
          },
          board,
          NEVER);

  private final ByteArrayOutputStream sent = new ByteArrayOutputStream();

  private Future<?> serve(ExecutorService threads, Duration heartbeat) {
    WatermarkStream stream = new WatermarkStream(board, silent, Clock.systemUTC(), heartbeat);
    return threads.submit(
        () -> {
          stream.send(sent, Instant.now().plus(NEVER), false);
          return null;
        });
  }

  private List<String> events() {
    String all = sent.toString(StandardCharsets.UTF_8);
    return all.isEmpty() ? List.of() : List.of(all.split("(?<=\n\n)"));
  }

  @Test
  void aSilentStreamSendsCommentsAndThenTheNextEventAsAlways() throws Exception {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<?> client = serve(threads, Duration.ofMillis(1));
      await().until(() -> events().size() >= 3);
      board.notified(0, Lsn.parse("0/5"));
      await()
          .until(
              () -> events().getLast().equals(STILL_HERE) && events().toString().contains("0/5"));
      board.close();
      client.get();

      List<String> events = events();
      assertThat(events.getFirst())
          .startsWith("event: watermark\ndata: {\"replicatedLsn\":\"0/0\"")
          .endsWith("}\n\n");
      assertThat(events.get(1)).isEqualTo(STILL_HERE);
      assertThat(events).filteredOn(event -> event.startsWith("event: watermark")).hasSize(2);
      assertThat(events)
          .allMatch(event -> event.equals(STILL_HERE) || event.startsWith("event: watermark"));
    }
  }

  @Test
  void noCommentIsSentBeforeItsTime() throws Exception {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<?> client = serve(threads, NEVER);
      for (int i = 1; i <= 5; i++) {
        int count = i;
        await().until(() -> events().size() == count);
        board.notified(0, new Lsn(i));
      }
      await().until(() -> events().size() == 6);
      board.close();
      client.get();

      assertThat(events().subList(0, 6)).noneMatch(STILL_HERE::equals);
    }
  }
}
