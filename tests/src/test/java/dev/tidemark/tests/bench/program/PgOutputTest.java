package dev.tidemark.tests.bench.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HexFormat;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class PgOutputTest {

  /** Relation 1 is public.doc with the columns a and b. */
  private static final String RELATION =
      "52 00000001 7075626c696300 646f6300 64 0002 01 6100 00000019 ffffffff 00 6200 00000019 ffffffff";

  private final PgOutput decoder = new PgOutput("doc");

  private static byte[] bytes(String hex) {
    return HexFormat.of().parseHex(hex.replace(" ", ""));
  }

  @Test
  void insertsAndUpdatesBringTheirNewRow() {
    assertThat(decoder.decode(bytes(RELATION))).isNull();
    PgOutput.Row inserted =
        Objects.requireNonNull(
            decoder.decode(bytes("49 00000001 4e 0002 74 00000002 7831 6e")), "a row");
    assertThat(inserted.text("a")).isEqualTo("x1");
    assertThat(inserted.text("b")).isNull();
    PgOutput.Row updated =
        Objects.requireNonNull(
            decoder.decode(
                bytes(
                    "55 00000001 4f 0002 74 00000001 30 6e 4e 0002 74 00000001 31 74 00000001 32")),
            "a row");
    assertThat(updated.text("a")).isEqualTo("1");
    assertThat(updated.text("b")).isEqualTo("2");
  }

  @Test
  void otherTablesAndMessagesBringNone() {
    decoder.decode(bytes(RELATION));
    assertThat(decoder.decode(bytes("49 00000002 4e 0001 74 00000001 31"))).isNull();
    assertThat(decoder.decode(bytes("42 0000000000000001 0000000000000002 00000003"))).isNull();
  }
}
