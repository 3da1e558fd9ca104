package dev.tidemark.gateway.sync;

import static dev.tidemark.gateway.sync.WatermarkBoard.Ending.CLIENT_GONE;
import static dev.tidemark.gateway.sync.WatermarkBoard.Ending.REACHED;
import static dev.tidemark.gateway.sync.WatermarkBoard.Ending.TIME_OVER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.gateway.sync.WatermarkBoard.Ending;
import dev.tidemark.topics.Lsn;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class WatermarkBoardTest {

  private static final Duration LONG = Duration.ofSeconds(25);

  private final WatermarkBoard board = new WatermarkBoard(2);

  private Ending wait(int partition, String required, Duration atMost) throws InterruptedException {
    return board.await(partition, lsn(required), atMost, () -> false);
  }

  @Test
  void b45DoesNotWaitForNewsThatCameBefore() throws Exception {
    board.notified(1, lsn("0/5"));

    assertThat(wait(1, "0/5", LONG)).isEqualTo(REACHED);
    assertThat(board.waiting()).isZero();
  }

  @Test
  void givesUpWhenTheTimeIsOver() throws Exception {
    assertThat(wait(0, "0/5", Duration.ofMillis(5))).isEqualTo(TIME_OVER);
    assertThat(board.waiting()).isZero();
  }

  @Test
  void givesUpWhenNobodyWaitsForTheAnswerAnyMore() throws Exception {
    assertThat(board.await(0, lsn("0/5"), LONG, () -> true)).isEqualTo(CLIENT_GONE);
    assertThat(board.waiting()).isZero();
  }

  @Test
  void wakesByANotificationOfItsOwnPartitionOnly() throws Exception {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<Ending> waiter = threads.submit(() -> wait(0, "0/5", LONG));
      untilWaiting(1);

      board.notified(1, lsn("0/9"));
      board.notified(0, lsn("0/4"));
      assertThat(board.waiting()).isEqualTo(1);
      board.notified(0, lsn("0/5"));

      assertThat(waiter.get()).isEqualTo(REACHED);
    }
  }

  @Test
  void b45WakesByAReReadWhenTheNotificationWasLost() throws Exception {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<Ending> waiter = threads.submit(() -> wait(0, "0/5", LONG));
      untilWaiting(1);

      board.refreshed(List.of(state(0, "0/7")));

      assertThat(waiter.get()).isEqualTo(REACHED);
    }
  }

  @Test
  void keepsANotificationThatIsNewerThanARead() throws Exception {
    board.notified(0, lsn("0/9"));
    board.refreshed(List.of(state(0, "0/7")));

    assertThat(board.picture().heard().getFirst()).isEqualTo(lsn("0/9"));
  }

  @Test
  void followsAWatermarkThatGoesBack() {
    board.refreshed(List.of(state(0, "0/9")));
    board.refreshed(List.of(state(0, "0/0")));

    assertThat(board.picture().heard().getFirst()).isEqualTo(Lsn.ZERO);
  }

  @Test
  void leavesOutPartitionsThatItDoesNotHave() {
    board.notified(7, lsn("0/9"));
    board.notified(-1, lsn("0/9"));
    board.refreshed(List.of(state(7, "0/9")));

    assertThat(board.picture().heard()).containsExactly(Lsn.ZERO, Lsn.ZERO);
  }

  @Test
  void letsAllGoWhenItIsClosed() throws Exception {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<Ending> waiter = threads.submit(() -> wait(0, "0/5", LONG));
      Future<Boolean> watcher =
          threads.submit(() -> board.awaitChange(board.picture().version(), LONG));
      untilWaiting(1);

      board.close();

      assertThat(waiter.get()).isEqualTo(TIME_OVER);
      assertThat(watcher.get()).isFalse();
    }
  }

  @Test
  void tellsWatchersOfEveryMove() throws Exception {
    long seen = board.picture().version();
    board.notified(0, lsn("0/1"));

    assertThat(board.awaitChange(seen, LONG)).isTrue();
    assertThat(board.awaitChange(board.picture().version(), Duration.ofMillis(5))).isFalse();
  }

  @Test
  void b45MissesNobodyUnderConcurrentNews() throws Exception {
    Random random = new Random(45);
    List<Future<Ending>> waiters = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 2_000; i++) {
        Lsn required = new Lsn(random.nextInt(1, 500));
        int partition = random.nextInt(2);
        waiters.add(threads.submit(() -> board.await(partition, required, LONG, () -> false)));
        board.notified(partition, new Lsn(i / 4));
      }
      for (Future<Ending> waiter : waiters) {
        board.notified(0, new Lsn(500));
        board.notified(1, new Lsn(500));
        assertThat(waiter.get(20, TimeUnit.SECONDS)).isEqualTo(REACHED);
      }
    }
    assertThat(board.waiting()).isZero();
  }

  private void untilWaiting(int count) {
    while (board.waiting() < count) {
      Thread.onSpinWait();
    }
  }

  private static Lsn lsn(String text) {
    return Lsn.parse(text);
  }

  private static PartitionState state(int partition, String lsn) {
    return new PartitionState(
        partition,
        1,
        "h1",
        lsn(lsn),
        0,
        null,
        null,
        "2026-01-01 00:00:00+00",
        true,
        null,
        null,
        0,
        0);
  }
}
