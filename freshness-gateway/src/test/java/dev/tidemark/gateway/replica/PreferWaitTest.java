package dev.tidemark.gateway.replica;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PreferWaitTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "wait=2 | 2",
        "Wait = 2 | 2",
        "wait=\"2\" | 2",
        "wait=0 | 0",
        "respond-async, wait=10 | 10",
        "respond-async; foo=\"a, wait=9\", wait=10 | 10",
        "wait=3;x=y;z | 3",
        "handling=lenient,wait=4, wait=5 | 4",
        "wait=31 | 30",
        "wait=999999999999 | 30",
      })
  void readsTheSecondsUpToTheLimit(String header, long seconds) {
    assertThat(PreferWait.parse(List.of(header))).contains(Duration.ofSeconds(seconds));
  }

  @Test
  void looksThroughAllHeaders() {
    assertThat(PreferWait.parse(List.of("respond-async", "wait=7")))
        .contains(Duration.ofSeconds(7));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "respond-async",
        "wait",
        "wait=",
        "wait=x",
        "wait=-1",
        "wait=1.5",
        "waiting=5",
        "x=\"wait=5\"",
        "wait=\"5",
        "wait=9999999999999999999"
      })
  void leavesAsideWhatIsNoNumberOfSeconds(String header) {
    assertThat(PreferWait.parse(List.of(header))).isEmpty();
  }
}
