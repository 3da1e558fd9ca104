package dev.tidemark.topics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.common.internals.Topic;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class TopicNamesTest {

  private final TopicNames names = new TopicNames("care");

  @Test
  @DisplayName("B20 no two tables share a topic")
  void noTwoTablesShareATopic() {
    List<String> odd =
        List.of(
            "pay ment",
            "pay$ment",
            "pay_ment",
            "pay-ment",
            "pay-20ment",
            "Orders",
            "orders",
            "a.b",
            "a",
            "b",
            "ä",
            "a-2eb",
            "select");

    Set<String> topics =
        odd.stream()
            .flatMap(schema -> odd.stream().map(table -> names.table(schema, table)))
            .collect(Collectors.toSet());

    assertThat(topics).hasSize(odd.size() * odd.size());
    assertThat(topics).allSatisfy(Topic::validate);
  }

  @Test
  void tableTopicsNeverMeetTheInternalOnes() {
    assertThat(names.table("public", "hub")).isEqualTo("tidemark.care.table.public.hub");
    assertThat(List.of(names.log(), names.offsets()))
        .containsExactly("tidemark.care.log", "tidemark.care.offsets");
  }
}
