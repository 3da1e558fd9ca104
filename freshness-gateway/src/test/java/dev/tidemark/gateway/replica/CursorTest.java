package dev.tidemark.gateway.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tidemark.gateway.problem.ProblemException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CursorTest {

  @Test
  void comesBackAsItWas() {
    Cursor cursor = new Cursor("replica_hub", List.of("1", "", "ü \"😀\""));

    assertThat(Cursor.parse(cursor.text(), "replica_hub", 3)).isEqualTo(cursor);
    assertThat(cursor.text()).matches("[A-Za-z0-9_-]+");
  }

  @Test
  void belongsToOneTableAndItsKey() {
    String text = new Cursor("replica_hub", List.of("1")).text();

    refused(text, "replica_waybill", 1);
    refused(text, "replica_hub", 2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "AAAA", "AQ", "AQEAAAAB", "AQF_____", "!!", "AQE=", "null"})
  void refusesWhatItHasNotMade(String text) {
    refused(text, "replica_hub", 1);
  }

  @Test
  void refusesATextThatGoesOn() {
    refused(new Cursor("replica_hub", List.of("1")).text() + "AAAA", "replica_hub", 1);
  }

  private static void refused(String text, String target, int columns) {
    assertThatExceptionOfType(ProblemException.class)
        .isThrownBy(() -> Cursor.parse(text, target, columns));
  }
}
