package dev.tidemark.projector.row;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class ArrayTextTest {

  @Test
  void elementsComeBackAsTheyWere() {
    List<String> elements =
        Arrays.asList("a", "", null, "NULL", "with \"quotes\" and \\", "x,y", "{}", " ");
    assertThat(ArrayText.elements(ArrayText.of(elements))).isEqualTo(elements);
  }

  @Test
  void postgresOwnFormIsRead() {
    assertThat(ArrayText.elements("{1,NULL,\"b c\",\"NULL\",\"\\\"\"}"))
        .containsExactly("1", null, "b c", "NULL", "\"");
    assertThat(ArrayText.elements("{}")).isEmpty();
    assertThat(ArrayText.elements("{{1,2},{3,\"4,}\"}}")).containsExactly("{1,2}", "{3,\"4,}\"}");
    assertThat(ArrayText.elements("[2:3]={a,b}")).containsExactly("a", "b");
  }
}
