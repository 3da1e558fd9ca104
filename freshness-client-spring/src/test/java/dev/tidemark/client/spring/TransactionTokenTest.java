package dev.tidemark.client.spring;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.tidemark.client.Position;
import java.net.http.HttpResponse;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;

/** A service without a line about tokens, over HTTP and a real PostgreSQL. */
class TransactionTokenTest {

  private static RunningShop shop;

  @BeforeAll
  static void start() {
    shop =
        new RunningShop(
            Shop.class,
            "spring.autoconfigure.exclude="
                + "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration,"
                + "org.springframework.boot.data.jpa.autoconfigure.DataJpaRepositoriesAutoConfiguration");
  }

  @AfterAll
  static void stop() {
    shop.close();
  }

  private static Optional<Position> token(HttpResponse<String> answer) {
    return answer.headers().firstValue("X-Tx-LSN").map(Position::parse);
  }

  @ParameterizedTest
  @CsvSource({"/add", "/callable", "/two-transactions"})
  void theTokenIsBehindTheLastCommit(String path) throws Exception {
    HttpResponse<String> answer = shop.post(path);

    assertThat(answer.statusCode()).isEqualTo(200);
    Position beforeTheCommit = Position.parse(answer.body());
    assertThat(token(answer))
        .hasValueSatisfying(
            it -> {
              assertThat(it.reaches(beforeTheCommit)).isTrue();
              assertThat(it).isNotEqualTo(beforeTheCommit);
            });
  }

  @Test
  void aTransactionThatIsRolledBackGivesNone() throws Exception {
    HttpResponse<String> answer = shop.post("/fail");

    assertThat(answer.statusCode()).isEqualTo(409);
    assertThat(token(answer)).isEmpty();
  }

  @Test
  void aReadOnlyTransactionGivesNone() throws Exception {
    HttpResponse<String> answer = shop.get("/count");

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(token(answer)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"/add-then-fail", "/inner-transaction-only"})
  void aCommitBeforeAFailureKeepsItsToken(String path) throws Exception {
    HttpResponse<String> answer = shop.post(path);

    assertThat(answer.statusCode()).isEqualTo(409);
    assertThat(token(answer)).isPresent();
  }

  @Test
  void aCommitAfterTheHeadersAreSentIsWarnedOfOnceAndTheAnswerGoesOn() throws Exception {
    ListAppender<ILoggingEvent> log = new ListAppender<>();
    Logger logger = (Logger) LoggerFactory.getLogger(CommitListener.class);
    log.start();
    logger.addAppender(log);
    try {
      for (int i = 0; i < 2; i++) {
        HttpResponse<String> answer = shop.post("/late");
        assertThat(answer.body()).isEqualTo("begun done");
        assertThat(token(answer)).isEmpty();
      }
    } finally {
      logger.detachAppender(log);
    }

    assertThat(log.list)
        .singleElement()
        .satisfies(
            event ->
                assertThat(event.getFormattedMessage())
                    .contains("can miss a write")
                    .contains("headers were sent before a transaction committed"));
  }

  @Test
  void sqlOutsideOfATransactionIsNotNotedUnlessItIsTold() throws Exception {
    assertThat(token(shop.post("/without-transaction"))).isEmpty();
    assertThat(token(shop.post("/without-transaction-but-told"))).isPresent();
  }
}
