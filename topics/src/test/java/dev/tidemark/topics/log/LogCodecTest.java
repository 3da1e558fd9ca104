package dev.tidemark.topics.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.topics.Generation;
import dev.tidemark.topics.Lsn;
import dev.tidemark.topics.log.Change.Operation;
import dev.tidemark.topics.route.TableName;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class LogCodecTest {

  private static final Relation RELATION =
      new Relation(
          new TableName("public", "hub"),
          List.of("id", "city", "body"),
          List.of("int8", "text", "text"),
          List.of(0));

  private static final LogRecord TRANSACTION = transaction(3, Lsn.parse("9/1"));

  private static LogRecord transaction(int run, Lsn after) {
    return new LogRecord.TransactionPart(
        7,
        run,
        after,
        4_000_000_000L,
        2,
        Optional.of(Lsn.parse("A/0")),
        Instant.parse("2026-01-02T03:04:05.000006Z"),
        List.of(
            new Change(
                Operation.UPDATE,
                RELATION,
                Tuple.of("1", null, null),
                Tuple.of("1", "Hà Nội", Tuple.UNCHANGED),
                Lsn.parse("9/FFFFFFFF"),
                3,
                2)));
  }

  /** Of a capture that numbered neither its runs nor named the transaction before. */
  private static final String FIRST_GOLDEN =
      "08072a80010880d0acf30e100219000000000a00000020c6e6b3b2efeb91032a640a320a067075626c69631203687562"
          + "1a0269641a04636974791a04626f64792204696e74382204746578742204746578742a0100122e08031a080a03746e6e"
          + "12013122130a03747475120131120948c3a0204ee1bb996929ffffffff0900000030033802";

  private static final String GOLDEN =
      "08072a8b010880d0acf30e100219000000000a00000020c6e6b3b2efeb91032a640a320a067075626c696312036875621a"
          + "0269641a04636974791a04626f64792204696e74382204746578742204746578742a0100122e08031a080a03746e6e"
          + "12013122130a03747475120131120948c3a0204ee1bb996929ffffffff09000000300338023003390100000009000000";

  static Stream<LogRecord> records() {
    return Stream.of(
        new LogRecord.GenerationStart(new Generation(7, "4f7b6ff22ddae849")),
        new LogRecord.SnapshotRows(
            7,
            Lsn.parse("0/1B8BFF8"),
            List.of(
                new Change(
                    Operation.SNAPSHOT,
                    RELATION,
                    null,
                    Tuple.of("1", "", null),
                    Lsn.parse("0/1B8BFF8"),
                    1,
                    1))),
        new LogRecord.SnapshotComplete(
            7, Lsn.parse("FFFFFFFF/FFFFFFFF"), Map.of("replica_hub", "4f7b6ff22ddae849")),
        TRANSACTION,
        new LogRecord.TransactionPart(
            7, 0, Lsn.ZERO, 1, 0, Optional.empty(), Instant.EPOCH, List.of()),
        new LogRecord.Progress(
            7,
            Lsn.parse("0/1"),
            Lsn.parse("80000000/0"),
            Instant.parse("1969-12-31T23:59:59.999999Z")));
  }

  @ParameterizedTest
  @MethodSource("records")
  void everyRecordComesBackAsItWas(LogRecord logRecord) {
    assertThat(LogCodec.decode(LogCodec.encode(logRecord))).isEqualTo(logRecord);
  }

  /** What older captures wrote must stay readable: these bytes never change. */
  @Test
  void whatTheFirstVersionWroteIsReadable() {
    assertThat(LogCodec.decode(HexFormat.of().parseHex(FIRST_GOLDEN)))
        .isEqualTo(transaction(0, Lsn.ZERO));
  }

  /** As above. */
  @Test
  void theBytesOfATransactionNeverChange() {
    assertThat(HexFormat.of().formatHex(LogCodec.encode(TRANSACTION))).isEqualTo(GOLDEN);
    assertThat(LogCodec.decode(HexFormat.of().parseHex(GOLDEN))).isEqualTo(TRANSACTION);
  }

  @Test
  void anUnchangedColumnIsNotTheTextThatNamesIt() {
    Tuple unchanged = Tuple.of(Tuple.UNCHANGED);
    Tuple text = Tuple.of("unchanged");
    assertThat(unchanged).isNotEqualTo(text);
    assertThat(text.unchanged(0)).isFalse();
    assertThatThrownBy(() -> unchanged.text(0)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void bytesThatAreNoRecordAreRefused() {
    assertThatThrownBy(() -> LogCodec.decode(new byte[] {1, 2, 3}))
        .isInstanceOf(LogFormatException.class);
  }

  @Test
  void aRecordOfAKindFromLaterVersionsSaysWhatToUpgrade() {
    assertThatThrownBy(() -> LogCodec.decode(new byte[] {8, 7}))
        .isInstanceOf(LogFormatException.class)
        .hasMessageContaining("upgrade the projector");
  }
}
