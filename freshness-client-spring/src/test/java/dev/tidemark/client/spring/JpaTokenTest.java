package dev.tidemark.client.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.client.Position;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;

/** The same with JPA: the connection is Hibernate's, and it writes during the commit. */
class JpaTokenTest {

  private static Position token(HttpResponse<String> answer) {
    assertThat(answer.statusCode()).isEqualTo(200);
    return Position.parse(answer.headers().firstValue("X-Tx-LSN").orElse(""));
  }

  @Test
  void everyCommitHandsOutItsPosition() throws Exception {
    try (RunningShop shop =
        new RunningShop(
            JpaShop.class,
            "spring.datasource.hikari.maximum-pool-size=1",
            "spring.jpa.open-in-view=true")) {
      HttpResponse<String> saved = shop.post("/save");
      HttpResponse<String> renamed = shop.post("/rename");
      HttpResponse<String> counted = shop.get("/count");

      assertThat(token(renamed).reaches(token(saved))).isTrue();
      assertThat(token(renamed)).isNotEqualTo(token(saved));
      assertThat(renamed.headers().firstValue("X-Tx-Generation")).contains("g1");
      assertThat(counted.body()).isNotEqualTo("0");
      assertThat(counted.headers().firstValue("X-Tx-LSN")).isEmpty();
    }
  }
}
