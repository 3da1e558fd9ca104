package dev.tidemark.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.tidemark.topics.route.RouteFile;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class GatewayConfigTest {

  private static final DatabaseConfig DATABASE =
      new DatabaseConfig("jdbc:postgresql://127.0.0.1/x?password=hush", "gateway", "hush");

  @Test
  void listensOnLoopbackOnAFreePortUnlessToldOtherwise() {
    GatewayConfig config = builder().build();

    assertThat(config.host()).isEqualTo("127.0.0.1");
    assertThat(config.port()).isZero();
    assertThat(config.audience()).isEmpty();
    assertThat(config.allowedOrigins()).isEmpty();
    assertThat(config.pausable()).isEmpty();
    assertThat(config.reports()).isEmpty();
    assertThat(config.maxDocumentBytes()).isEqualTo(8 * 1024 * 1024);
    assertThat(config.maxWaitingReads())
        .isEqualTo(Math.min(15_000, Runtime.getRuntime().maxMemory() / 98_304));
    assertThat(config.requestsPerSecond()).isEmpty();
    assertThat(config.opsPort()).isEmpty();
    assertThat(DATABASE.poolSize()).isEqualTo(10);
  }

  @Test
  void reportsAllProblemsAtOnce() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                builder()
                    .host(" ")
                    .port(70_000)
                    .maxDocumentBytes(1)
                    .maxWaitingReads(15_001)
                    .requestsPerSecond(0)
                    .opsPort(-1)
                    .allowedOrigins(List.of("*"))
                    .build())
        .withMessageContaining("host")
        .withMessageContaining("70000")
        .withMessageContaining("maxDocumentBytes")
        .withMessageContaining("maxWaitingReads must be 0 to 15000, but was 15001")
        .withMessageContaining("requestsPerSecond must be 1 to 1000000, but was 0")
        .withMessageContaining("opsPort must be 0 to 65535, but was -1")
        .withMessageContaining("*");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder().port(8080).opsPort(8080).build())
        .withMessageContaining("another port than port");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new DatabaseConfig("postgres://x", "", "", 0))
        .withMessageContaining("jdbcUrl")
        .withMessageContaining("user")
        .withMessageContaining("poolSize");
  }

  @Test
  void doesNotPrintSecrets() {
    assertThat(builder().build().toString()).doesNotContain("hush");
  }

  private static GatewayConfig.Builder builder() {
    RouteFile routes =
        new RouteFile("p", "p", "p", 4, RouteFile.DEFAULT_DOCUMENTS, Map.of(), Map.of(), List.of());
    return GatewayConfig.builder(
        routes, DATABASE, DATABASE, new TokenKeys.JwkSet("{\"keys\":[\"hush\"]}"));
  }
}
