package dev.tidemark.gateway.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tidemark.gateway.problem.ProblemException;
import dev.tidemark.gateway.problem.ProblemKind;
import dev.tidemark.topics.Lsn;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RequiredPositionTest {

  @Test
  void isEmptyWithoutTheHeader() {
    assertThat(RequiredPosition.parse(List.of())).isEmpty();
  }

  @Test
  void b24TakesTheLargestOfSeveralPositions() {
    assertThat(RequiredPosition.parse(List.of("F/FFFFFFFF, 10/0")))
        .contains(new RequiredPosition(Lsn.parse("10/0"), false));
    assertThat(RequiredPosition.parse(List.of("9/FFFFFFFF", "A/0", "0/1")))
        .contains(new RequiredPosition(Lsn.parse("A/0"), false));
    assertThat(RequiredPosition.parse(List.of("80000000/0", "7FFFFFFF/FFFFFFFF")))
        .contains(new RequiredPosition(Lsn.parse("80000000/0"), false));
  }

  @Test
  void takesLatestAloneAndBesidePositions() {
    assertThat(RequiredPosition.parse(List.of("latest")))
        .contains(new RequiredPosition(Lsn.ZERO, true));
    assertThat(RequiredPosition.parse(List.of("0/5,latest")))
        .contains(new RequiredPosition(Lsn.parse("0/5"), true));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        ",",
        "0/1,",
        ",0/1",
        "0/1,,0/2",
        "0/1 0/2",
        "0",
        "0/",
        "/1",
        "0/G",
        "0x1/0",
        "1/2/3",
        "123456789/0",
        "0/123456789",
        "-1/0",
        "+1/0",
        "26123456",
        "0/1;q=1",
        "now",
        "'; drop table x",
        "18446744073709551616",
        "0 /1",
        "０/１"
      })
  void b24RefusesEverythingElse(String value) {
    assertThatExceptionOfType(ProblemException.class)
        .isThrownBy(() -> RequiredPosition.parse(List.of("0/1", value)))
        .satisfies(e -> assertThat(e.problem().kind()).isEqualTo(ProblemKind.MALFORMED_LSN));
  }
}
