package dev.tidemark.client.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.client.Position;
import java.net.http.HttpHeaders;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AnswersTest {

  private static HttpHeaders headers(String name, String value) {
    return HttpHeaders.of(Map.of(name, List.of(value)), (n, v) -> true);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"status\":\"sync-pending\",\"retryAfterMs\":120} | 7 | 120",
        "{\"retryAfterMs\" : 10000 }                        | 7 | 10000",
        "{\"retryAfterMs\":0}                               | 7 | 5",
        "{\"status\":\"sync-pending\"}                      | 7 | 7000",
        "{\"retryAfterMs\":1.5}                             | 7 | 7000",
        "{\"retryAfterMs\":12e3}                            | 7 | 7000",
        "{\"retryAfterMs\":-5}                              | 7 | 7000",
        "{\"retryAfterMs\":\"5\"}                           | 7 | 7000",
        "{\"retryAfterMs\":99999999999}                     | 7 | 7000",
        "{\"a\":\"\\\"retryAfterMs\\\":9\"}                 | 7 | 7000",
        "''                                                 | soon | 50",
        "''                                                 | -1 | 50"
      })
  void thePauseIsTheBodysElseTheHeaders(String body, String retryAfter, long millis) {
    assertThat(Answers.pause(headers("Retry-After", retryAfter), body))
        .isEqualTo(Duration.ofMillis(millis));
  }

  @Test
  void aPositionThatIsMalformedCountsAsAbsent() {
    assertThat(Answers.token(headers("x-tx-lsn", "0/5")))
        .hasValueSatisfying(token -> assertThat(token.position()).isEqualTo(Position.parse("0/5")));
    assertThat(Answers.token(headers("X-Tx-LSN", "latest"))).isEmpty();
    assertThat(Answers.token(headers("X-Tx-LSN", "0/5, 0/6"))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"type\":\"urn:tidemark:problem:history-changed\",\"status\":409} | history-changed",
        "{\"title\":\"x\", \"type\" : \"urn:tidemark:problem:no-such-row\"} | no-such-row",
        "{\"type\":\"about:blank\"}                                         | ''",
        "{\"detail\":\"\\\"type\\\":\\\"urn:tidemark:problem:internal\\\"\"} | ''",
        "<html>                                                              | ''"
      })
  void theProblemIsTheTypeWithoutItsPrefix(String body, String problem) {
    assertThat(Answers.problem(body)).isEqualTo(problem);
  }
}
