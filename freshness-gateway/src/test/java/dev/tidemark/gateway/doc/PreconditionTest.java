package dev.tidemark.gateway.doc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tidemark.gateway.problem.ProblemException;
import dev.tidemark.gateway.problem.ProblemKind;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PreconditionTest {

  private static final StoredDocument DOCUMENT =
      new StoredDocument("{}", 3, 1_700_000_000_000_000L);

  @Test
  void holdsWithoutHeaders() {
    Precondition none = Precondition.parse(List.of(), List.of());

    assertThat(none.conditional()).isFalse();
    none.require(Optional.empty());
    none.require(Optional.of(DOCUMENT));
  }

  @Test
  void ifMatchNeedsThePresentTag() {
    match(DOCUMENT.etag()).require(Optional.of(DOCUMENT));
    match("\"x\" , " + DOCUMENT.etag()).require(Optional.of(DOCUMENT));
    match("*").require(Optional.of(DOCUMENT));
    failed(match("\"x\""), Optional.of(DOCUMENT));
    failed(match("W/" + DOCUMENT.etag()), Optional.of(DOCUMENT));
    failed(match("*"), Optional.empty());
    failed(match(DOCUMENT.etag()), Optional.empty());
  }

  @Test
  void ifNoneMatchNeedsAnotherOrNone() {
    noneMatch("*").require(Optional.empty());
    noneMatch("\"x\"").require(Optional.of(DOCUMENT));
    failed(noneMatch("*"), Optional.of(DOCUMENT));
    failed(noneMatch(DOCUMENT.etag()), Optional.of(DOCUMENT));
  }

  @Test
  void tagsDifferAfterADocumentWasDeletedAndMadeAgain() {
    assertThat(new StoredDocument("{}", 1, 1L).etag())
        .isNotEqualTo(new StoredDocument("{}", 1, 2L).etag());
  }

  @ParameterizedTest
  @ValueSource(strings = {"x", "\"x", "x\"", "\"x\" \"y\"", "*, \"x\"", "w/\"x\"", "\"x\";q=1"})
  void refusesMalformedTags(String header) {
    assertThatExceptionOfType(ProblemException.class)
        .isThrownBy(() -> match(header))
        .satisfies(e -> assertThat(e.problem().kind()).isEqualTo(ProblemKind.BAD_REQUEST));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", ".", "..", "a\u0000b", "a\nb", "\u007f", "\ufffd"})
  void refusesNamesThatCanNotBeOne(String name) {
    assertThatExceptionOfType(ProblemException.class)
        .isThrownBy(() -> new DocumentName("Waybill", name))
        .satisfies(e -> assertThat(e.problem().kind()).isEqualTo(ProblemKind.BAD_NAME));
    assertThatExceptionOfType(ProblemException.class).isThrownBy(() -> new DocumentName(name, "x"));
  }

  @Test
  void boundsTheLengthOfNames() {
    assertThat(new DocumentName("t".repeat(200), "n".repeat(500)).name()).hasSize(500);
    assertThatExceptionOfType(ProblemException.class)
        .isThrownBy(() -> new DocumentName("t", "n".repeat(501)));
  }

  private static Precondition match(String header) {
    return Precondition.parse(List.of(header), List.of());
  }

  private static Precondition noneMatch(String header) {
    return Precondition.parse(List.of(), List.of(header));
  }

  private static void failed(Precondition precondition, Optional<StoredDocument> document) {
    assertThatExceptionOfType(ProblemException.class)
        .isThrownBy(() -> precondition.require(document))
        .satisfies(e -> assertThat(e.problem().kind()).isEqualTo(ProblemKind.PRECONDITION_FAILED));
  }
}
