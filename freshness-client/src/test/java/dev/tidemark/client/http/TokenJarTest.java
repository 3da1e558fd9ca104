package dev.tidemark.client.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.client.Position;
import dev.tidemark.client.Token;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TokenJarTest {

  private final TokenJar jar = new TokenJar();

  private static Token token(String position) {
    return new Token(Position.parse(position));
  }

  private static Token token(String position, String generation) {
    return new Token(Position.parse(position), Optional.of(generation));
  }

  private Optional<String> lsn(String source) {
    return jar.requirement(source).lsnHeader();
  }

  private Optional<String> generation(String source) {
    return jar.requirement(source).generationHeader();
  }

  @Test
  void demandsNothingOfASourceThatNothingWasNotedOf() {
    jar.note("orders", token("0/1"));

    assertThat(jar.requirement("hubs")).isEqualTo(Requirement.NONE);
    assertThat(lsn("hubs")).isEmpty();
  }

  @Test
  void keepsTheHighestPositionOfEachSource() {
    jar.note("orders", token("F/FFFFFFFF"));
    jar.note("orders", token("10/0"));
    jar.note("orders", token("9/0"));
    jar.note("hubs", token("0/5"));

    assertThat(lsn("orders")).contains("10/0");
    assertThat(lsn("hubs")).contains("0/5");
  }

  @Test
  void aTokenOfAnotherGenerationTakesThePlaceOfTheOlderOne() {
    jar.note("orders", token("9/0", "first"));
    jar.note("orders", token("0/5", "second"));

    assertThat(lsn("orders")).contains("0/5");
    assertThat(generation("orders")).contains("second");
  }

  @Test
  void aTokenWithoutAGenerationRaisesThePositionAndLeavesTheGeneration() {
    jar.note("orders", token("0/5", "first"));
    jar.note("orders", token("0/9"));
    jar.note("orders", token("0/7", "first"));

    assertThat(lsn("orders")).contains("0/9");
    assertThat(generation("orders")).contains("first");
  }

  @Test
  void aTokenWithAGenerationKeepsTheHigherPositionOfOneWithout() {
    jar.note("orders", token("0/9"));
    jar.note("orders", token("0/5", "first"));

    assertThat(lsn("orders")).contains("0/9");
    assertThat(generation("orders")).contains("first");
  }

  @Test
  void aWriteWithoutATokenAsksForTheLatestUntilItIsSeen() {
    jar.note("orders", token("0/5", "first"));
    jar.noteUnknown("orders");
    jar.note("orders", token("0/6", "first"));

    assertThat(lsn("orders")).contains("latest");
    assertThat(generation("orders")).contains("first");

    TokenJar.Entry sent = jar.entry("orders");
    jar.replace("orders", sent, sent.requirement().seen(Position.parse("0/9")));

    assertThat(lsn("orders")).contains("0/9");
    assertThat(generation("orders")).contains("first");
  }

  @Test
  void aWriteDuringAReadIsNotForgottenByItsAnswer() {
    jar.noteUnknown("orders");
    TokenJar.Entry sent = jar.entry("orders");
    jar.noteUnknown("orders");

    jar.replace("orders", sent, sent.requirement().seen(Position.parse("0/9")));
    jar.forget("orders", sent);

    assertThat(lsn("orders")).contains("latest");
  }

  @Test
  void forgetsWhatItIsToldToForget() {
    jar.note("orders", token("0/5"));
    jar.note("hubs", token("0/6"));
    jar.forget("orders");

    assertThat(lsn("orders")).isEmpty();
    assertThat(lsn("hubs")).contains("0/6");
  }

  @Test
  void isTheSameAfterItWasSavedAndRestored() {
    jar.note("orders", token("0/387F920", "43d8@!&=%09"));
    jar.note("https://hubs.example/api?x=1&y=é", token("FFFFFFFF/FFFFFFFF"));
    jar.noteUnknown("only unknown");
    jar.note("both", token("0/1", "g"));
    jar.noteUnknown("both");

    TokenJar restored = TokenJar.restore(jar.save());

    assertThat(restored.save()).isEqualTo(jar.save());
    for (String source :
        List.of("orders", "https://hubs.example/api?x=1&y=é", "only unknown", "both")) {
      assertThat(restored.requirement(source))
          .isEqualTo(jar.requirement(source))
          .isNotEqualTo(Requirement.NONE);
    }
    assertThat(jar.save())
        .as("RFC 6265's cookie-octet")
        .matches("[\\x21\\x23-\\x2B\\x2D-\\x3A\\x3C-\\x5B\\x5D-\\x7E]+");
  }

  @Test
  void anEmptyJarIsAnEmptyText() {
    assertThat(jar.save()).isEmpty();
    assertThat(TokenJar.restore("").save()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "orders",
        "=0/1",
        "orders=0/",
        "orders=0/1&",
        "orders=0/1@",
        "orders=0/1@a%20b",
        "orders=0/123456789",
        "orders=0/1!!",
        "orders=%zz&a=0/1",
        "a%=0/1",
        "orders=0/1;x=0/2"
      })
  void aTextThatIsNoSavedJarIsRefused(String text) {
    assertThatThrownBy(() -> TokenJar.restore(text)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void neitherItsTextNorItsMessagesTellPositions() {
    jar.note("orders", token("0/387F920"));

    assertThat(jar).hasToString("TokenJar[1 sources]");
    assertThatThrownBy(() -> TokenJar.restore("orders=0/387F920;"))
        .hasMessageStartingWith("not a saved jar");
  }

  @Test
  void threadsThatWriteAtOnceLoseNoToken() throws Exception {
    List<Callable<Void>> writers = new ArrayList<>();
    for (int writer = 0; writer < 4; writer++) {
      int first = writer;
      writers.add(
          () -> {
            for (int i = 0; i < 10_000; i++) {
              jar.note("orders", new Token(new Position(4L * i + first)));
            }
            return null;
          });
    }
    try (var threads = Executors.newFixedThreadPool(4)) {
      for (Future<Void> writer : threads.invokeAll(writers)) {
        writer.get();
      }
    }

    assertThat(lsn("orders")).contains(new Position(39_999).toString());
  }
}
