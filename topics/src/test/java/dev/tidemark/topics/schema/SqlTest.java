package dev.tidemark.topics.schema;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SqlTest {

  @Test
  void quotesEndNothingEarly() {
    assertThat(Sql.identifier("a\"; drop table \"b")).isEqualTo("\"a\"\"; drop table \"\"b\"");
    assertThat(Sql.literal("it's")).isEqualTo("'it''s'");
    assertThat(Sql.identifiers(List.of("a", "Select"))).isEqualTo("\"a\", \"Select\"");
  }
}
