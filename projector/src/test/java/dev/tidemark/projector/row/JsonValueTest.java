package dev.tidemark.projector.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class JsonValueTest {

  private static JsonValue at(String json, String... path) {
    return JsonValue.at(json, List.of(path)).orElseThrow();
  }

  @Test
  void numbersKeepTheirDigitsAndTrailingZeros() {
    assertThat(at("{\"n\": 9007199254740993.10}", "n").text()).isEqualTo("9007199254740993.10");
    assertThat(at("{\"n\": 1.500, \"m\": 2}", "n").json()).isEqualTo("1.500");
    assertThat(at("{\"n\":-0.0e+10}", "n").text()).isEqualTo("-0.0e+10");
    assertThat(at("[12345678901234567890123456789]").json())
        .isEqualTo("[12345678901234567890123456789]");
  }

  @Test
  void stringsAreUnescapedAsTextAndKeptAsJson() {
    JsonValue value = at("{\"s\": \"a\\u0041\\n\\\"b\\\"\"}", "s");
    assertThat(value.text()).isEqualTo("aA\n\"b\"");
    assertThat(value.json()).isEqualTo("\"a\\u0041\\n\\\"b\\\"\"");
  }

  @Test
  void objectsAndArraysAreCutOutAsTheyStand() {
    String json = "{\"a\": {\"b\": [1,  {\"c\" : \"é😀\"}], \"z\": null}, \"x\": true}";
    assertThat(at(json, "a", "b").json()).isEqualTo("[1,  {\"c\" : \"é😀\"}]");
    assertThat(at(json, "a", "z").kind()).isEqualTo(JsonValue.Kind.NULL);
    assertThat(at(json, "a", "z").text()).isNull();
    assertThat(at(json, "a", "z").json()).isEqualTo("null");
    assertThat(at(json, "x").text()).isEqualTo("true");
  }

  @Test
  void aPathThatLeadsNowhereIsEmpty() {
    assertThat(JsonValue.at("{\"a\": 1}", List.of("b"))).isEmpty();
    assertThat(JsonValue.at("{\"a\": 1}", List.of("a", "b"))).isEmpty();
    assertThat(JsonValue.at("[1]", List.of("0"))).isEmpty();
    assertThat(JsonValue.at("null", List.of("a"))).isEmpty();
  }

  @Test
  void theLastOfEqualKeysCounts() {
    assertThat(at("{\"a\": 1, \"a\": 2}", "a").text()).isEqualTo("2");
  }

  @Test
  void lengthsCountElementsKeysAndCharacters() {
    assertThat(at("[1, [2, 3], {\"a\": 4}]").length()).isEqualTo(3);
    assertThat(at("[]").length()).isZero();
    assertThat(at("{\"a\": 1, \"b\": {\"c\": 2}}").length()).isEqualTo(2);
    assertThat(at("\"a😀\"").length()).isEqualTo(2);
    assertThat(at("12").length()).isNull();
  }

  @Test
  void elementsOfAnArrayComeInOrder() {
    assertThat(at("[\"a\", null, 1.0, [2]]").elements())
        .extracting(JsonValue::text)
        .containsExactly("a", null, "1.0", "[2]");
  }

  @Test
  void whatIsNoJsonIsRefusedWithoutShowingIt() {
    assertThatThrownBy(() -> JsonValue.at("{secret", List.of()))
        .isInstanceOf(RowException.class)
        .hasMessageNotContaining("secret");
  }
}
