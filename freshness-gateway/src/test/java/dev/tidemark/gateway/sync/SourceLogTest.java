package dev.tidemark.gateway.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.topics.Lsn;
import dev.tidemark.topics.ServerIdentity;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class SourceLogTest {

  private static final ServerIdentity OLD = new ServerIdentity("7000", 1, "app");
  private static final ServerIdentity NEW = new ServerIdentity("7000", 2, "app");

  private final long start = System.nanoTime();
  private final SourceLog log = new SourceLog();

  private void saw(int asked, int answered, int lsn, ServerIdentity server) {
    log.saw(start + asked, start + answered, new Lsn(lsn), server);
  }

  @Test
  void reachesWhatAnyLookHasSeen() {
    saw(0, 1, 50, OLD);
    saw(2, 3, 60, OLD);

    assertThat(log.reaches(new Lsn(60))).isTrue();
    assertThat(log.reaches(new Lsn(61))).isFalse();
    assertThat(log.turns()).isZero();
  }

  @Test
  void aLesserLookAtTheSameTimeSaysNothing() {
    saw(0, 10, 60, OLD);
    saw(5, 11, 50, OLD);

    assertThat(log.reaches(new Lsn(60))).isTrue();
    assertThat(log.turns()).isZero();
  }

  @Test
  @DisplayName("a later look that sees less log takes back what was known of the former")
  void aLaterLookThatSeesLessTakesBack() {
    saw(0, 10, 60, OLD);
    saw(11, 12, 50, OLD);

    assertThat(log.reaches(new Lsn(51))).isFalse();
    assertThat(log.reaches(new Lsn(50))).isTrue();
    assertThat(log.notBefore(start)).contains(new Lsn(50));
    assertThat(log.turns()).isEqualTo(1);
  }

  @Test
  void aPromotedServerTakesBackAlsoWhenItsLogIsLonger() {
    saw(0, 10, 60, OLD);
    saw(11, 12, 70, NEW);

    assertThat(log.turns()).isEqualTo(1);
    assertThat(log.notBefore(start)).contains(new Lsn(70));
  }

  @Test
  void aLateAnswerOfTheFormerServerChangesNothing() {
    saw(5, 10, 50, NEW);
    saw(0, 12, 60, OLD);

    assertThat(log.reaches(new Lsn(51))).isFalse();
    assertThat(log.writes(NEW.generation(3))).isTrue();
  }

  @Test
  void tellsGenerationsOfTheServerFromOthers() {
    assertThat(log.writes(OLD.generation(3))).isTrue();
    saw(0, 1, 50, OLD);
    assertThat(log.writes(OLD.generation(3))).isTrue();
    assertThat(log.writes(NEW.generation(3))).isFalse();
    saw(2, 3, 40, NEW);
    assertThat(log.writes(OLD.generation(3))).isFalse();
    assertThat(log.writes(NEW.generation(4))).isTrue();
  }

  @Test
  void comparesWithoutSign() {
    log.saw(start, start + 1, Lsn.parse("7FFFFFFF/FFFFFFFF"), OLD);
    log.saw(start + 2, start + 3, Lsn.parse("80000000/0"), OLD);

    assertThat(log.reaches(Lsn.parse("80000000/0"))).isTrue();
    assertThat(log.turns()).isZero();
  }

  @Test
  void aMessagesPositionKeepsTheServer() {
    saw(0, 1, 50, OLD);
    log.saw(start + 2, start + 3, new Lsn(55), null);

    assertThat(log.reaches(new Lsn(55))).isTrue();
    assertThat(log.writes(OLD.generation(1))).isTrue();
    assertThat(log.writes(NEW.generation(1))).isFalse();
  }
}
