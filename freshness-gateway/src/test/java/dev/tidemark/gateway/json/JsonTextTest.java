package dev.tidemark.gateway.json;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class JsonTextTest {

  @Test
  void escapesWhatJsonDoesNotAllowBare() {
    assertThat(JsonText.quoted("a\"b\\c\n\r\t\u0001\u001f/ü😀"))
        .isEqualTo("\"a\\\"b\\\\c\\n\\r\\t\\u0001\\u001f/ü😀\"");
  }

  @Test
  void escapesHalvesOfSurrogatePairs() {
    assertThat(JsonText.quoted("\ud83dx\ude00")).isEqualTo("\"\\ud83dx\\ude00\"");
  }

  @Test
  void writesNullForNothing() {
    assertThat(JsonText.quoted(null)).isEqualTo("null");
  }

  @Test
  void writesMembersInTheOrderOfTheCalls() {
    assertThat(
            new JsonObjectWriter()
                .text("a", "x")
                .value("b", 1)
                .value("c", null)
                .raw("d", "[]")
                .json())
        .isEqualTo("{\"a\":\"x\",\"b\":1,\"c\":null,\"d\":[]}");
    assertThat(new JsonObjectWriter().json()).isEqualTo("{}");
  }
}
