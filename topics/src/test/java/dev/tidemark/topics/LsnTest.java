package dev.tidemark.topics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("B24 LSN")
class LsnTest {

  @ParameterizedTest(name = "{0} < {1}")
  @CsvSource({
    "9/FFFFFFFF, A/0",
    "F/FFFFFFFF, 10/0",
    "0/0, 0/1",
    "7FFFFFFF/FFFFFFFF, 80000000/0",
    "80000000/0, FFFFFFFF/FFFFFFFF",
    "0/FFFFFFFF, 1/0"
  })
  void ordersAsUnsignedNumbers(String earlier, String later) {
    Lsn low = Lsn.parse(earlier);
    Lsn high = Lsn.parse(later);

    assertThat(low).isLessThan(high);
    assertThat(high.isAfter(low)).isTrue();
    assertThat(high.reaches(low)).isTrue();
    assertThat(low.reaches(high)).isFalse();
    assertThat(low.max(high)).isEqualTo(high).isEqualTo(high.max(low));
  }

  @ParameterizedTest
  @CsvSource({
    "0/0000000A, 0/A",
    "0/a, 0/A",
    "0/387f920, 0/387F920",
    "00000000/00000000, 0/0",
    "ffffffff/FFFFFFFF, FFFFFFFF/FFFFFFFF",
    "16/B374D848, 16/B374D848"
  })
  void readsEitherCaseAndLeadingZerosAndWritesPostgresForm(String text, String canonical) {
    assertThat(Lsn.parse(text)).hasToString(canonical);
    assertThat(Lsn.parse(Lsn.parse(text).toString())).isEqualTo(Lsn.parse(text));
  }

  @ParameterizedTest(name = "[{0}]")
  @ValueSource(
      strings = {
        "",
        " 0/1",
        "0/1 ",
        "1/2/3",
        "0x1/0",
        "123456789/0",
        "0/123456789",
        "/1",
        "1/",
        "/",
        "0/1, 0/2",
        "26123456",
        "-1/0",
        "+1/0",
        "0/G",
        "0\\1",
        "0/1\n",
        "٠/١",
        "latest"
      })
  void refusesMalformedText(String text) {
    assertThatThrownBy(() -> Lsn.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("0/387F920");
  }

  @Test
  void reachesItself() {
    assertThat(Lsn.parse("0/1").reaches(Lsn.parse("0/1"))).isTrue();
    assertThat(Lsn.parse("0/1").isAfter(Lsn.parse("0/1"))).isFalse();
  }

  @Test
  void countsBytesForwardsOnly() {
    assertThat(Lsn.parse("1/0").bytesSince(Lsn.parse("0/FFFFFFFF"))).isEqualTo(1);
    assertThat(Lsn.parse("0/1").bytesSince(Lsn.parse("FFFFFFFF/0"))).isZero();
    assertThat(Lsn.ZERO.bytesSince(Lsn.ZERO)).isZero();
  }
}
