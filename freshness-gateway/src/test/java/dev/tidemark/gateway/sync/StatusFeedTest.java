package dev.tidemark.gateway.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.gateway.problem.Problem;
import dev.tidemark.gateway.problem.ProblemKind;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The reads of these tests wait until the test lets them through. */
@Timeout(30)
class StatusFeedTest {

  private static final Duration LONG = Duration.ofSeconds(20);

  private final WatermarkBoard board = new WatermarkBoard(1);
  private final Semaphore let = new Semaphore(0);
  private final AtomicInteger reads = new AtomicInteger();
  private volatile boolean failing;
  private final StatusFeed feed = new StatusFeed(this::read, board, Duration.ofMillis(1));

  @AfterEach
  void end() {
    board.close();
    let.release(1_000_000);
  }

  @Test
  void readsNothingWhileNobodyListens() throws Exception {
    let.release(1_000);
    try (StatusFeed.Listening listening = feed.listen()) {
      awaitNews(0);
    }
    // The read that was under way may still end, and then there is no other.
    awaitSilence();

    assertThat(feed.latest()).isEmpty();
    assertThat(let.availablePermits()).isPositive();
  }

  @Test
  void oneReadServesAllListeners() throws Exception {
    try (StatusFeed.Listening one = feed.listen();
        StatusFeed.Listening two = feed.listen()) {
      long before = board.picture().version();
      let.release();
      board.awaitChange(before, LONG);

      assertThat(feed.latest()).isPresent();
      assertThat(reads).hasValue(1);
    }
  }

  @Test
  void eachReadHasANumberOfItsOwnAndWakesTheStreams() throws Exception {
    try (StatusFeed.Listening listening = feed.listen()) {
      let.release();
      long first = awaitNews(0);
      let.release();

      assertThat(awaitNews(first)).isGreaterThan(first);
    }
  }

  @Test
  void aFailedReadLeavesNoOldStatusAndTheNextIsTaken() throws Exception {
    try (StatusFeed.Listening listening = feed.listen()) {
      let.release();
      long first = awaitNews(0);
      failing = true;
      let.release(2);
      while (let.availablePermits() > 0 || feed.latest().isPresent()) {
        Thread.onSpinWait();
      }
      failing = false;
      let.release();

      assertThat(awaitNews(first)).isGreaterThan(first);
    }
  }

  @Test
  void beginsAgainForALaterListener() throws Exception {
    let.release(1_000);
    feed.listen().close();
    awaitSilence();

    try (StatusFeed.Listening listening = feed.listen()) {
      assertThat(awaitNews(0)).isPositive();
    }
  }

  private SyncStatus read() {
    let.acquireUninterruptibly();
    reads.incrementAndGet();
    if (failing) {
      throw Problem.of(ProblemKind.DATABASE_UNAVAILABLE, "The replica is down.").exception();
    }
    return new SyncStatus(
        List.of(), Optional.empty(), Optional.empty(), List.of(), Optional.empty(), Map.of());
  }

  private long awaitNews(long seen) throws InterruptedException {
    while (true) {
      long version = board.picture().version();
      Optional<StatusFeed.Latest> latest = feed.latest();
      if (latest.isPresent() && latest.get().number() > seen) {
        return latest.get().number();
      }
      board.awaitChange(version, LONG);
    }
  }

  private void awaitSilence() {
    while (feed.reading()) {
      Thread.onSpinWait();
    }
  }
}
