package dev.tidemark.projector.replica;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.topics.Lsn;
import dev.tidemark.topics.log.LogRecord;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;

class BacklogTest {

  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private Instant now = START;

  private final Clock clock =
      new Clock() {
        @Override
        public ZoneId getZone() {
          return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
          return this;
        }

        @Override
        public Instant instant() {
          return now;
        }
      };

  private final Backlog backlog = new Backlog(clock);

  @Test
  void aFreshChangeIsNoBacklog() {
    backlog.came(committed(START.minus(Backlog.LATE)));

    assertThat(backlog.catchingUp()).isFalse();
  }

  @Test
  void aLateChangeIsOneUntilNoneHasComeForAMoment() {
    backlog.came(committed(START.minus(Backlog.LATE).minusMillis(1)));
    assertThat(backlog.catchingUp()).isTrue();

    now = START.plus(Backlog.QUIET);
    backlog.came(committed(now));
    assertThat(backlog.catchingUp()).isFalse();
  }

  private static LogRecord committed(Instant time) {
    return new LogRecord.Progress(1, Lsn.ZERO, new Lsn(1), time);
  }

  @Test
  void rowsOfASnapshotAreOne() {
    backlog.came(new LogRecord.SnapshotRows(1, new Lsn(1), List.of()));

    assertThat(backlog.catchingUp()).isTrue();
  }

  @Test
  void nothingThatCameIsNoBacklog() {
    assertThat(backlog.catchingUp()).isFalse();
  }
}
