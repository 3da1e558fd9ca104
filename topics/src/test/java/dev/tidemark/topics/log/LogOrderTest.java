package dev.tidemark.topics.log;

import static dev.tidemark.topics.log.LogOrder.Step.AHEAD;
import static dev.tidemark.topics.log.LogOrder.Step.FIRST_PART;
import static dev.tidemark.topics.log.LogOrder.Step.LAST_PART;
import static dev.tidemark.topics.log.LogOrder.Step.PART;
import static dev.tidemark.topics.log.LogOrder.Step.PROGRESS;
import static dev.tidemark.topics.log.LogOrder.Step.SKIP;
import static dev.tidemark.topics.log.LogOrder.Step.SNAPSHOT_END;
import static dev.tidemark.topics.log.LogOrder.Step.SNAPSHOT_ROWS;
import static dev.tidemark.topics.log.LogOrder.Step.START;
import static dev.tidemark.topics.log.LogOrder.Step.TRANSACTION;
import static dev.tidemark.topics.log.LogOrder.Step.UNSTARTED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.topics.Generation;
import dev.tidemark.topics.Lsn;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LogOrderTest {

  private static final int OLD_RUN = 1;
  private static final int NEW_RUN = 2;

  private final LogOrder order = new LogOrder(7, lsn(100));

  private static Lsn lsn(long value) {
    return new Lsn(value);
  }

  private static LogRecord part(int run, long after, int part, @Nullable Long commit) {
    return part(run, after, 9, part, commit);
  }

  private static LogRecord part(int run, long after, long xid, int part, @Nullable Long commit) {
    return new LogRecord.TransactionPart(
        7,
        run,
        lsn(after),
        xid,
        part,
        Optional.ofNullable(commit).map(Lsn::new),
        Instant.EPOCH,
        List.of());
  }

  private static LogRecord whole(int run, long after, long commit) {
    return part(run, after, commit, 0, commit);
  }

  private static LogRecord progress(long after, long lsn) {
    return new LogRecord.Progress(7, lsn(after), lsn(lsn), Instant.EPOCH);
  }

  private List<LogOrder.Step> steps(LogRecord... records) {
    return Stream.of(records).map(order::next).toList();
  }

  @Test
  void aTransactionAtOrBelowThePositionIsAReplay() {
    assertThat(steps(whole(1, 0, 90), whole(1, 90, 100), whole(1, 100, 110), whole(2, 100, 110)))
        .containsExactly(SKIP, SKIP, TRANSACTION, SKIP);
    assertThat(order.lsn()).isEqualTo(lsn(110));
  }

  @Test
  void whatFollowsALostTransactionWaitsUntilALaterRunHasSentIt() {
    assertThat(steps(whole(OLD_RUN, 110, 120), progress(120, 130), whole(OLD_RUN, 120, 140)))
        .containsExactly(AHEAD, AHEAD, AHEAD);
    assertThat(order.lsn()).isEqualTo(lsn(100));
    assertThat(steps(whole(NEW_RUN, 0, 110), whole(NEW_RUN, 110, 120)))
        .containsExactly(TRANSACTION, TRANSACTION);
  }

  @Test
  void aRunThatLostTheSlotDoesNotInterruptItsSuccessorsTransaction() {
    assertThat(
            steps(
                part(OLD_RUN, 0, 0, null),
                part(NEW_RUN, 0, 0, null),
                part(OLD_RUN, 0, 1, null),
                progress(0, 105),
                part(OLD_RUN, 0, 0, null),
                whole(OLD_RUN, 120, 130),
                part(NEW_RUN, 0, 1, 120L)))
        .containsExactly(FIRST_PART, FIRST_PART, SKIP, SKIP, SKIP, SKIP, LAST_PART);
    assertThat(order.lsn()).isEqualTo(lsn(120));
  }

  @Test
  void aTransactionWithAMissingPartIsLeftOutUntilItComesWhole() {
    assertThat(
            steps(
                part(OLD_RUN, 0, 0, null),
                part(OLD_RUN, 0, 2, 120L),
                whole(OLD_RUN, 120, 130),
                part(NEW_RUN, 0, 0, null),
                part(NEW_RUN, 0, 1, null),
                part(NEW_RUN, 0, 2, 120L)))
        .containsExactly(FIRST_PART, AHEAD, AHEAD, FIRST_PART, PART, LAST_PART);
  }

  @Test
  void partsAreAReplayWhenTheirLastIsOne() {
    assertThat(steps(part(1, 0, 0, null), part(1, 0, 1, 100L))).containsExactly(FIRST_PART, SKIP);
    assertThat(order.open()).isFalse();
  }

  @Test
  void aTransactionOfTheLogsNextRunEndsOneThatWasCutOff() {
    assertThat(steps(part(OLD_RUN, 0, 0, null), whole(NEW_RUN, 0, 120)))
        .containsExactly(FIRST_PART, TRANSACTION);
    assertThat(order.open()).isFalse();
  }

  @Test
  void aGenerationStartsOnceAndItsPositionCountsFromItsSnapshot() {
    LogRecord rows = new LogRecord.SnapshotRows(8, lsn(50), List.of());
    LogRecord end = new LogRecord.SnapshotComplete(8, lsn(50), Map.of());
    LogRecord start = new LogRecord.GenerationStart(new Generation(8, "next"));
    assertThat(steps(rows, start, start, rows, end, end, rows, whole(1, 100, 110)))
        .containsExactly(UNSTARTED, START, SKIP, SNAPSHOT_ROWS, SNAPSHOT_END, SKIP, SKIP, SKIP);
    assertThat(order.lsn()).isEqualTo(lsn(50));
  }

  @Test
  void aReaderThatKeptPartsGoesOnWithTheNext() {
    order.resume((LogRecord.TransactionPart) part(1, 100, 1, null));
    assertThat(steps(part(1, 100, 2, 120L), progress(120, 125)))
        .containsExactly(LAST_PART, PROGRESS);
  }
}
