package dev.tidemark.client.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.client.http.FakeGateway.Answer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a write leaves for the reads after it, also when its answer says nothing. */
class FreshClientWriteTest {

  private final TokenJar jar = new TokenJar();
  private final FreshClient client = new FreshClient(HttpClient.newHttpClient(), jar, "hubs");

  private static HttpRequest put(URI uri) {
    return HttpRequest.newBuilder(uri).PUT(BodyPublishers.ofString("{}")).build();
  }

  @ParameterizedTest
  @CsvSource({
    "200, '', latest",
    "204, '', latest",
    "500, '', latest",
    "503, '', latest",
    "200, latest, latest",
    "200, garbage, latest",
    "400, '', ''",
    "412, '', ''",
    "500, 0/8, 0/8",
    "409, 0/8, 0/8"
  })
  void aWriteWithoutATokenMakesTheNextReadAskForTheLatest(int status, String token, String required)
      throws Exception {
    Answer answer =
        token.isEmpty() ? new Answer(status, "") : new Answer(status, "", "X-Tx-LSN", token);
    try (FakeGateway gateway = new FakeGateway(answer)) {
      client.write(put(gateway.uri()));

      assertThat(jar.requirement("hubs").lsnHeader().orElse("")).isEqualTo(required);
    }
  }

  @Test
  void aWriteWithoutAnAnswerMakesTheNextReadAskForTheLatest() {
    try (FakeGateway gateway = new FakeGateway()) {
      HttpRequest request =
          HttpRequest.newBuilder(gateway.uri())
              .timeout(Duration.ofMillis(200))
              .PUT(BodyPublishers.ofString("{}"))
              .build();

      assertThatThrownBy(() -> client.write(request)).isInstanceOf(IOException.class);

      assertThat(jar.requirement("hubs").lsnHeader()).contains("latest");
    }
  }

  @Test
  void theTokenOfAWriteThatRedirectsIsNotLost() throws Exception {
    HttpClient following =
        HttpClient.newBuilder().followRedirects(HttpClient.Redirect.NORMAL).build();
    try (FakeGateway gateway =
        new FakeGateway(
            new Answer(303, "", "Location", "/hubs/1", "X-Tx-LSN", "0/8"), new Answer(200, ""))) {
      new FreshClient(following, jar, "hubs").write(put(gateway.uri()));

      assertThat(gateway.requests()).hasSize(2);
      assertThat(jar.requirement("hubs").lsnHeader()).contains("0/8");
    }
  }
}
