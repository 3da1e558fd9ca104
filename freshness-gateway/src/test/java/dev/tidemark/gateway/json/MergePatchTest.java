package dev.tidemark.gateway.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MergePatchTest {

  /** The examples of RFC 7396, appendix A, whose document and patch are objects. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "{\"a\":\"b\"} | {\"a\":\"c\"} | {\"a\":\"c\"}",
        "{\"a\":\"b\"} | {\"b\":\"c\"} | {\"a\":\"b\",\"b\":\"c\"}",
        "{\"a\":\"b\"} | {\"a\":null} | {}",
        "{\"a\":\"b\",\"b\":\"c\"} | {\"a\":null} | {\"b\":\"c\"}",
        "{\"a\":[\"b\"]} | {\"a\":\"c\"} | {\"a\":\"c\"}",
        "{\"a\":\"c\"} | {\"a\":[\"b\"]} | {\"a\":[\"b\"]}",
        "{\"a\":{\"b\":\"c\"}} | {\"a\":{\"b\":\"d\",\"c\":null}} | {\"a\":{\"b\":\"d\"}}",
        "{\"a\":[{\"b\":\"c\"}]} | {\"a\":[1]} | {\"a\":[1]}",
        "{\"e\":null} | {\"a\":1} | {\"e\":null,\"a\":1}",
        "{} | {\"a\":{\"bb\":{\"ccc\":null}}} | {\"a\":{\"bb\":{}}}",
      })
  void followsTheExamplesOfTheRfc(String document, String patch, String expected) throws Exception {
    assertThat(MergePatch.apply(document, patch)).isEqualTo(expected);
  }

  @Test
  void keepsEveryDigit() throws Exception {
    String merged =
        MergePatch.apply(
            "{\"a\": 12345678901234567890.123456789000, \"b\": [1.500, 1E400]}",
            "{\"c\": {\"d\": -0.0}, \"e\": 9007199254740993}");

    assertThat(merged)
        .isEqualTo(
            "{\"a\":12345678901234567890.123456789000,\"b\":[1.500, 1E400],\"c\":{\"d\":-0.0},"
                + "\"e\":9007199254740993}");
  }

  @Test
  void keepsStringsAndNamesWithEscapes() throws Exception {
    assertThat(MergePatch.apply("{\"a\\\"\":\"\\u00fc\\n\\\\\"}", "{\"x\":\"\\ud83d\\ude00\"}"))
        .isEqualTo("{\"a\\\"\":\"ü\\n\\\\\",\"x\":\"😀\"}");
  }

  @Test
  void leavesWhatPostgresRefusesForPostgresToRefuse() throws Exception {
    assertThat(MergePatch.apply("{}", "{\"a\":\"\\u0000\",\"b\":\"\\ud800\"}"))
        .isEqualTo("{\"a\":\"\\u0000\",\"b\":\"\\ud800\"}");
  }

  @Test
  void letsTheLastOfTwoEqualNamesCount() throws Exception {
    assertThat(MergePatch.apply("{\"a\":1}", "{\"a\":2,\"a\":3}")).isEqualTo("{\"a\":3}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"[]", "1", "null", "", "{", "{} {}", "{\"a\":}", "{'a':1}", "{\"a\":01}"})
  void refusesWhatIsNoObject(String patch) {
    assertThatExceptionOfType(MergePatch.NotAnObjectException.class)
        .isThrownBy(() -> MergePatch.apply("{}", patch));
  }

  @Test
  void refusesDeepNestingInsteadOfOverflowing() {
    String deep = "{\"a\":".repeat(100_000) + "1" + "}".repeat(100_000);

    assertThatExceptionOfType(MergePatch.NotAnObjectException.class)
        .isThrownBy(() -> MergePatch.apply("{}", deep))
        .withMessageContaining("500 levels");
  }
}
