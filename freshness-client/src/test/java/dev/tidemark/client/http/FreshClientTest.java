package dev.tidemark.client.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.client.Position;
import dev.tidemark.client.Token;
import dev.tidemark.client.http.FakeGateway.Answer;
import dev.tidemark.client.http.FakeGateway.Request;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow.Subscription;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FreshClientTest {

  private static final Duration LONG = Duration.ofSeconds(60);
  private static final Answer ROWS =
      new Answer(
          200, "{\"rows\":[]}", "X-Replicated-LSN", "0/9", "Content-Type", "application/json");

  private final TokenJar jar = new TokenJar();
  private final HttpClient http = HttpClient.newHttpClient();
  private final FreshClient client = new FreshClient(http, jar, "hubs");

  private static Answer pending(int retryAfterMs) {
    return new Answer(
        202,
        "{\"status\":\"sync-pending\",\"requiredLsn\":\"0/8\",\"replicatedLsn\":\"0/5\",\"retryAfterMs\":"
            + retryAfterMs
            + "}",
        "Retry-After",
        "1");
  }

  private static Answer problem(int status, String type) {
    return new Answer(
        status,
        "{\"type\":\"urn:tidemark:problem:" + type + "\",\"status\":" + status + "}",
        "X-Replicated-LSN",
        "0/7");
  }

  private static HttpRequest get(FakeGateway gateway) {
    return HttpRequest.newBuilder(gateway.uri()).build();
  }

  private static HttpRequest put(URI uri) {
    return HttpRequest.newBuilder(uri).PUT(BodyPublishers.ofString("{}")).build();
  }

  private void hold(String position, String generation) {
    jar.note("hubs", new Token(Position.parse(position), Optional.of(generation)));
  }

  @Test
  void aWritesTokenIsDemandedByTheNextRead() throws Exception {
    try (FakeGateway gateway =
        new FakeGateway(new Answer(201, "", "X-Tx-LSN", "0/8", "X-Tx-Generation", "g1"), ROWS)) {
      client.write(put(gateway.uri()));
      ReadOutcome<String> read = client.read(get(gateway), LONG);

      assertThat(read.orElseThrow()).isEqualTo("{\"rows\":[]}");
      assertThat(gateway.requests())
          .last()
          .isEqualTo(new Request(List.of("0/8"), List.of("g1"), List.of()));
    }
  }

  @Test
  void aReadDemandsNothingWhenNothingWasWritten() throws Exception {
    try (FakeGateway gateway = new FakeGateway(ROWS)) {
      assertThat(client.read(get(gateway), LONG)).isInstanceOf(ReadOutcome.Fresh.class);

      assertThat(gateway.requests()).containsExactly(new Request(List.of(), List.of(), List.of()));
    }
  }

  @Test
  void whatTheRequestItselfDemandsIsDemandedToo() throws Exception {
    hold("0/8", "g1");
    try (FakeGateway gateway = new FakeGateway(ROWS)) {
      client.read(
          HttpRequest.newBuilder(gateway.uri()).header("X-Required-LSN", "0/3").build(), LONG);

      assertThat(gateway.requests().get(0).lsn()).containsExactlyInAnyOrder("0/3", "0/8");
    }
  }

  @Test
  void asksAgainAfterThePauseUntilTheRowsAreThere() throws Exception {
    hold("0/8", "g1");
    try (FakeGateway gateway = new FakeGateway(pending(5), pending(5), pending(5), ROWS)) {
      ReadOutcome<String> read = client.read(get(gateway), LONG);

      assertThat(read).isInstanceOf(ReadOutcome.Fresh.class);
      assertThat(gateway.requests())
          .hasSize(4)
          .allMatch(request -> request.lsn().equals(List.of("0/8")));
    }
  }

  @Test
  @Timeout(45) // it must not sleep until its 60 s are over
  void doesNotAskAgainWhenThePauseIsLongerThanTheTimeThatIsLeft() throws Exception {
    hold("0/8", "g1");
    try (FakeGateway gateway = new FakeGateway(pending(120_000))) {
      ReadOutcome<String> read = client.read(get(gateway), LONG);

      assertThat(read)
          .isEqualTo(
              new ReadOutcome.Pending<String>(
                  Optional.of(Position.parse("0/8")),
                  Optional.of(Position.parse("0/5")),
                  Duration.ofMinutes(2)));
      assertThatThrownBy(read::orElseThrow)
          .isInstanceOf(StaleReadException.class)
          .hasMessageContaining("is at 0/5 and has not reached 0/8");
      assertThat(jar.requirement("hubs").lsnHeader()).contains("0/8");
    }
  }

  @Test
  void isPendingWhenTheGatewayFallsSilentAfterA202() throws Exception {
    hold("0/8", "g1");
    try (FakeGateway gateway = new FakeGateway(pending(5))) {
      assertThat(client.read(get(gateway), Duration.ofMillis(800)))
          .isInstanceOf(ReadOutcome.Pending.class);
      assertThat(gateway.requests()).hasSize(2);
    }
  }

  @Test
  void aGatewayThatNeverAnswersIsATimeout() {
    try (FakeGateway gateway = new FakeGateway()) {
      assertThatThrownBy(() -> client.read(get(gateway), Duration.ofMillis(300)))
          .isInstanceOf(HttpTimeoutException.class)
          .hasMessageContaining("PT0.3S");
    }
  }

  @Test
  void theTimeCountsForTheBodyToo() {
    try (FakeGateway gateway = new FakeGateway(new Answer(200, "", "X-Replicated-LSN", "0/9"))) {
      assertThatThrownBy(
              () ->
                  client.read(
                      get(gateway),
                      answer -> new NeverEnding(),
                      Patience.of(Duration.ofMillis(300))))
          .isInstanceOf(HttpTimeoutException.class);
    }
  }

  /** A body that never comes to its end. */
  private static final class NeverEnding implements BodySubscriber<String> {
    @Override
    public CompletionStage<String> getBody() {
      return new CompletableFuture<>();
    }

    @Override
    public void onSubscribe(Subscription subscription) {
      // asks for nothing
    }

    @Override
    public void onNext(List<ByteBuffer> item) {
      // nothing is asked for
    }

    @Override
    public void onError(Throwable throwable) {
      // nothing is read
    }

    @Override
    public void onComplete() {
      // nothing is read
    }
  }

  @Test
  void asksTheGatewayToWaitWhenToldTo() throws Exception {
    hold("0/8", "g1");
    try (FakeGateway gateway = new FakeGateway(pending(5), ROWS)) {
      client.read(
          get(gateway),
          BodyHandlers.ofString(),
          Patience.of(LONG).waitingAtServer(Duration.ofMillis(2900)));

      assertThat(gateway.requests())
          .hasSize(2)
          .allMatch(request -> request.prefer().equals(List.of("wait=2")));
    }
  }

  @ParameterizedTest
  @CsvSource({"30, 10000, 9", "30, 1499, 0", "30, 1500, 1", "2, 60000, 2", "0, 60000, 0"})
  void leavesTimeForTheAnswerThatTheGatewayHoldsBack(long wait, long leftMillis, long seconds) {
    assertThat(
            Patience.of(LONG)
                .waitingAtServer(Duration.ofSeconds(wait))
                .waitSeconds(Duration.ofMillis(leftMillis)))
        .isEqualTo(seconds);
  }

  @ParameterizedTest
  @ValueSource(strings = {"history-changed", "position-beyond-source"})
  void aHistoryThatChangedIsToldAndItsTokenForgotten(String type) throws Exception {
    hold("0/8", "g1");
    try (FakeGateway gateway = new FakeGateway(problem(409, type), ROWS)) {
      assertThat(client.read(get(gateway), LONG))
          .isEqualTo(new ReadOutcome.HistoryChanged<String>(type));
      client.read(get(gateway), LONG);

      assertThat(gateway.requests()).last().extracting(Request::lsn).isEqualTo(List.of());
    }
  }

  @Test
  void aRowThatIsNotThereIsAsTrueAsARow() throws Exception {
    hold("0/5", "g1");
    try (FakeGateway gateway = new FakeGateway(problem(404, "no-such-row"))) {
      ReadOutcome<String> read = client.read(get(gateway), LONG);

      assertThat(read)
          .isEqualTo(new ReadOutcome.Absent<String>(Optional.of(Position.parse("0/7"))));
      assertThatThrownBy(read::orElseThrow).hasMessage("there is no such row at 0/7");
    }
  }

  @ParameterizedTest
  @CsvSource({"401, token-missing", "404, unknown-target", "409, row-quarantined", "503, internal"})
  void anyOtherAnswerIsTheCallersBusiness(int status, String type) throws Exception {
    hold("0/5", "g1");
    try (FakeGateway gateway = new FakeGateway(problem(status, type))) {
      ReadOutcome<String> read = client.read(get(gateway), LONG);

      assertThat(read)
          .isInstanceOfSatisfying(
              ReadOutcome.Refused.class,
              refused -> {
                assertThat(refused.status()).isEqualTo(status);
                assertThat(refused.problem()).isEqualTo(type);
              });
      assertThatThrownBy(read::orElseThrow)
          .hasMessage("the gateway answered " + status + " " + type);
      assertThat(jar.requirement("hubs").lsnHeader()).contains("0/5");
    }
  }

  @Test
  void aConnectionThatFailsIsThrownAsItIs() throws Exception {
    URI uri;
    try (FakeGateway gateway = new FakeGateway()) {
      uri = gateway.uri();
    }
    assertThatThrownBy(() -> client.read(HttpRequest.newBuilder(uri).build(), LONG))
        .isInstanceOf(ConnectException.class);
  }

  @Test
  void theLatestThatWasSeenIsDemandedFromThenOn() throws Exception {
    hold("0/5", "g1");
    jar.noteUnknown("hubs");
    try (FakeGateway gateway = new FakeGateway(ROWS, ROWS)) {
      client.read(get(gateway), LONG);
      client.read(get(gateway), LONG);

      assertThat(gateway.requests())
          .containsExactly(
              new Request(List.of("latest"), List.of("g1"), List.of()),
              new Request(List.of("0/9"), List.of("g1"), List.of()));
    }
  }

  @Test
  void aTokenThatComesDuringAReadIsNotForgottenWithTheOldHistory() throws Exception {
    hold("0/8", "g1");
    try (FakeGateway gateway = new FakeGateway()) {
      AtomicReference<Object> outcome = new AtomicReference<>();
      Thread reader =
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      outcome.set(client.read(get(gateway), LONG));
                    } catch (IOException | InterruptedException e) {
                      outcome.set(e);
                    }
                  });
      Awaitility.await().until(() -> gateway.requests().size() >= 1);
      hold("0/2", "g2");
      gateway.answerHanging(problem(409, "history-changed"));
      reader.join();

      assertThat(outcome.get()).isInstanceOf(ReadOutcome.HistoryChanged.class);
      assertThat(jar.requirement("hubs").lsnHeader()).contains("0/2");
    }
  }

  @Test
  void anInterruptEndsAReadAtOnce() throws Exception {
    try (FakeGateway gateway = new FakeGateway()) {
      AtomicReference<Throwable> failure = new AtomicReference<>();
      Thread reader =
          Thread.ofPlatform()
              .start(
                  () -> {
                    try {
                      client.read(get(gateway), LONG);
                    } catch (IOException | InterruptedException e) {
                      failure.set(e);
                    }
                  });
      Awaitility.await().until(() -> gateway.requests().size() == 1);
      reader.interrupt();
      reader.join();

      assertThat(failure.get()).isInstanceOf(InterruptedException.class);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1})
  void aReadNeedsTime(long millis) {
    assertThatThrownBy(() -> Patience.of(Duration.ofMillis(millis)))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
