package dev.tidemark.capture.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.topics.Generation;
import dev.tidemark.topics.Lsn;
import dev.tidemark.topics.ServerIdentity;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Whenever a change could have been missed, everything is read again. */
class StartDecisionTest {

  private static final ServerIdentity SERVER = new ServerIdentity("7000", 1, "source");
  private static final Lsn END = Lsn.parse("0/200");
  private static final SourceTables TABLES = tables(16_400);
  private static final PipelineState STATE =
      new PipelineState(
          new Generation(3, "history"),
          "log",
          "routes",
          SERVER,
          TABLES,
          1,
          Optional.of(Lsn.parse("0/100")));
  private static final SlotState SLOT = new SlotState(false, false, true, Lsn.parse("0/80"));

  private static SourceTables tables(long oid) {
    return new SourceTables(
        "16390 truetruetruetruetrue",
        Map.of(
            "public.hub",
            new SourceTable(
                oid,
                16_410,
                "f",
                16_400,
                List.of(new SourceTable.Column("id", "1 bigint 0", "700")),
                List.of(new SourceTable.Part(16_420, "f", 7, true)))));
  }

  private static StartDecision decide(PipelineState state, ServerIdentity server, SlotState slot) {
    return StartDecision.of(
        Optional.of(state), "log", "routes", server, TABLES, Optional.of(slot), END);
  }

  @Test
  void resumesAfterTheStoredPosition() {
    assertThat(decide(STATE, SERVER, SLOT))
        .isEqualTo(new StartDecision.Resume(STATE, Lsn.parse("0/100")));
  }

  @Test
  void startsAnewWithoutAHistory() {
    assertThat(
            StartDecision.of(
                Optional.empty(), "log", "routes", SERVER, TABLES, Optional.of(SLOT), END))
        .isInstanceOf(StartDecision.NewGeneration.class);
  }

  @Test
  void startsAnewAfterAnInterruptedSnapshot() {
    PipelineState interrupted =
        new PipelineState(STATE.generation(), "log", "routes", SERVER, TABLES, 1, Optional.empty());
    assertThat(decide(interrupted, SERVER, SLOT)).isInstanceOf(StartDecision.NewGeneration.class);
  }

  @Test
  void startsAnewWhenTheRoutesHaveChanged() {
    assertThat(
            StartDecision.of(
                Optional.of(STATE), "log", "others", SERVER, TABLES, Optional.of(SLOT), END))
        .isInstanceOf(StartDecision.NewGeneration.class);
  }

  @Test
  void startsAnewWhenTheLogTopicIsAnother() {
    assertThat(
            StartDecision.of(
                Optional.of(STATE), "new", "routes", SERVER, TABLES, Optional.of(SLOT), END))
        .isInstanceOf(StartDecision.NewGeneration.class);
  }

  @Test
  void startsAnewOnAnotherServerAndAfterAPromotion() {
    assertThat(decide(STATE, new ServerIdentity("7001", 1, "source"), SLOT))
        .isInstanceOf(StartDecision.NewGeneration.class);
    assertThat(decide(STATE, new ServerIdentity("7000", 2, "source"), SLOT))
        .isInstanceOf(StartDecision.NewGeneration.class);
  }

  @Test
  @DisplayName("B11 starts anew when a table is another than the one that was read")
  void startsAnewWhenATableIsAnother() {
    assertThat(
            StartDecision.of(
                Optional.of(STATE),
                "log",
                "routes",
                SERVER,
                tables(16_500),
                Optional.of(SLOT),
                END))
        .isEqualTo(
            new StartDecision.NewGeneration(
                "public.hub is another table than the one that was read (OID 16400 before, now 16500)"));
  }

  @Test
  void aStateOfAnEarlierVersionWithoutTablesStartsAnew() {
    String text = StateCodec.write(STATE).replaceFirst("\"source\":\\{.*\\}\\}\\},", "");
    PipelineState earlier = StateCodec.read(text);

    assertThat(earlier.tables()).isEqualTo(SourceTables.NONE);
    assertThat(decide(earlier, SERVER, SLOT)).isInstanceOf(StartDecision.NewGeneration.class);
  }

  @Test
  void startsAnewWithoutAUsableSlot() {
    assertThat(
            StartDecision.of(
                Optional.of(STATE), "log", "routes", SERVER, TABLES, Optional.empty(), END))
        .isInstanceOf(StartDecision.NewGeneration.class);
    assertThat(decide(STATE, SERVER, new SlotState(false, true, true, Lsn.parse("0/80"))))
        .isInstanceOf(StartDecision.NewGeneration.class);
    assertThat(decide(STATE, SERVER, new SlotState(false, false, false, Lsn.parse("0/80"))))
        .isInstanceOf(StartDecision.NewGeneration.class);
  }

  @Test
  void startsAnewWhenTheSlotBeginsAfterTheLogsEnd() {
    assertThat(decide(STATE, SERVER, new SlotState(false, false, true, Lsn.parse("0/101"))))
        .isInstanceOf(StartDecision.NewGeneration.class);
  }

  @Test
  void startsAnewWhenTheSourceEndsBeforeTheLog() {
    assertThat(
            StartDecision.of(
                Optional.of(STATE),
                "log",
                "routes",
                SERVER,
                TABLES,
                Optional.of(SLOT),
                Lsn.parse("0/FF")))
        .isInstanceOf(StartDecision.NewGeneration.class);
  }

  @Test
  void aStateComesBackFromItsTextAsItWas() {
    assertThat(StateCodec.read(StateCodec.write(STATE))).isEqualTo(STATE);
  }
}
