package dev.tidemark.gateway.problem;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProblemTest {

  @Test
  void writesTheMembersOfTheRfcAndItsOwn() {
    Problem problem =
        Problem.of(ProblemKind.UNKNOWN_COLUMN, "Say \"which\".").with("columns", List.of("a", "b"));

    assertThat(new String(problem.body(), StandardCharsets.UTF_8))
        .isEqualTo(
            "{\"type\":\"urn:tidemark:problem:unknown-column\",\"title\":\"No such column\","
                + "\"status\":400,\"detail\":\"Say \\\"which\\\".\",\"columns\":[\"a\",\"b\"]}");
  }

  @ParameterizedTest
  @EnumSource
  void everyKindHasATypeATitleAndAnErrorStatus(ProblemKind kind) {
    assertThat(kind.type()).matches("urn:tidemark:problem:[a-z-]+");
    assertThat(kind.title()).isNotBlank().doesNotEndWith(".");
    assertThat(kind.status()).isBetween(400, 503);
  }

  @Test
  void typesAreDistinct() {
    assertThat(Arrays.stream(ProblemKind.values()).map(ProblemKind::type)).doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @EnumSource
  void unavailableAnswersSayWhenToTryAgain(ProblemKind kind) {
    assertThat(Problem.of(kind, "x").headers().containsKey("Retry-After"))
        .isEqualTo(kind.status() == 503);
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 401, 403, 404, 405, 412, 413, 415, 422, 500, 503})
  void everyStatusOfTheServerHasAKind(int status) {
    assertThat(ProblemKind.ofStatus(status).status()).isEqualTo(status);
  }

  @Test
  void unknownStatusesBecomeGeneralKinds() {
    assertThat(ProblemKind.ofStatus(431)).isEqualTo(ProblemKind.BAD_REQUEST);
    assertThat(ProblemKind.ofStatus(501)).isEqualTo(ProblemKind.BAD_REQUEST);
    assertThat(ProblemKind.ofStatus(502)).isEqualTo(ProblemKind.INTERNAL);
  }
}
