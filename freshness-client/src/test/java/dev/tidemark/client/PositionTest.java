package dev.tidemark.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PositionTest {

  @ParameterizedTest
  @CsvSource({
    "9/FFFFFFFF, A/0",
    "F/FFFFFFFF, 10/0",
    "7FFFFFFF/FFFFFFFF, 80000000/0",
    "0/0, 0/1",
    "80000000/0, FFFFFFFF/FFFFFFFF"
  })
  void isOrderedAsAnUnsignedNumber(String earlier, String later) {
    Position low = Position.parse(earlier);
    Position high = Position.parse(later);

    assertThat(high.reaches(low)).isTrue();
    assertThat(low.reaches(high)).isFalse();
    assertThat(low.max(high)).isEqualTo(high);
    assertThat(high.max(low)).isEqualTo(high);
  }

  @ParameterizedTest
  @CsvSource({"0/0000000a, 0/A", "0/387f920, 0/387F920", "FFFFFFFF/FFFFFFFF, FFFFFFFF/FFFFFFFF"})
  void isWrittenAsPostgresqlWritesIt(String text, String written) {
    assertThat(Position.parse(text)).hasToString(written);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " 0/1",
        "0/1 ",
        "1/2/3",
        "0x1/0",
        "123456789/0",
        "/1",
        "1/",
        "26123456",
        "-1/0"
      })
  void malformedTextIsRefusedAndNotRepeated(String text) {
    assertThatThrownBy(() -> Position.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("not a position: expected 1 to 8 hexadecimal digits");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a b", "é", "a\r\nX-Evil: 1"})
  void aGenerationIsVisibleAscii(String generation) {
    assertThatThrownBy(() -> new Token(new Position(1), Optional.of(generation)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("X-Tx-Generation");
  }

  @Test
  void aTokenNeedsNoGeneration() {
    assertThat(new Token(new Position(1)).generation()).isEmpty();
  }
}
