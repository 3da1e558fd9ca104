package dev.tidemark.gateway.replica;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReplicaPathTest {

  @ParameterizedTest
  @CsvSource({
    "/api/replica/t, t,",
    "/api/replica/replica_waybill/WB-1, replica_waybill, WB-1",
    "/api/replica/t/a%2Fb%3Bc, t, a/b;c",
    "/api/replica/t/%C3%A9%20+, t, é +",
    "/api/replica/%74/x, t, x",
  })
  void namesATableAndMaybeARow(String uri, String target, String key) {
    ReplicaPath path = ReplicaPath.parse(uri).orElseThrow();

    assertThat(path).isEqualTo(new ReplicaPath(target, Optional.ofNullable(key)));
    assertThat(path.pattern())
        .isEqualTo(key == null ? "/api/replica/{target}" : "/api/replica/{target}/{key}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/api/replica",
        "/api/replica/",
        "/api/replica/t/",
        "/api/replica/t/k/",
        "/api/replica/t/k/x",
        "/api/replica//k",
        "/api/replicas/t",
        "/API/replica/t",
        "/%61pi/replica/t",
        "/x/api/replica/t",
      })
  void anyOtherPathIsNone(String uri) {
    assertThat(ReplicaPath.parse(uri)).isEmpty();
  }

  @Test
  void looksLikeAFileWhereItEndsLikeOne() {
    assertThat(ReplicaPath.parse("/api/replica/t/run.bat").orElseThrow().looksLikeFile()).isTrue();
    assertThat(ReplicaPath.parse("/api/replica/t/run%2Ebat").orElseThrow().looksLikeFile())
        .isTrue();
    assertThat(ReplicaPath.parse("/api/replica/t/WB-1").orElseThrow().looksLikeFile()).isFalse();
    assertThat(ReplicaPath.parse("/api/replica/t/end.").orElseThrow().looksLikeFile()).isFalse();
  }
}
