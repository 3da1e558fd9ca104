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
                    .allowedOrigins(List.of("*"))
                    .build())
        .withMessageContaining("host")
        .withMessageContaining("70000")
        .withMessageContaining("maxDocumentBytes")
        .withMessageContaining("*");
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
