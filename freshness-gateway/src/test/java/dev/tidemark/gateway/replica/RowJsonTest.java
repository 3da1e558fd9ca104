package dev.tidemark.gateway.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.tidemark.gateway.replica.ReplicaColumn.Kind;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RowJsonTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "NUMBER | 9007199254740993 | 9007199254740993",
        "NUMBER | -9223372036854775808 | -9223372036854775808",
        "NUMBER | 1.500 | 1.500",
        "NUMBER | 0.000000000000000001 | 0.000000000000000001",
        "NUMBER | 1e-05 | 1e-05",
        "NUMBER | -0 | -0",
        "NUMBER | NaN | \"NaN\"",
        "NUMBER | -Infinity | \"-Infinity\"",
        "NUMBER | 01 | \"01\"",
        "BOOLEAN | true | true",
        "BOOLEAN | f | false",
        "JSON | {\"n\": 9007199254740993.10} | {\"n\": 9007199254740993.10}",
        "BYTES | \\xdeadbeef | \"3q2+7w==\"",
        "BYTES | \\x | \"\"",
        "BYTES | \\x5c78 | \"XHg=\"",
        "TEXT | infinity | \"infinity\"",
        "TEXT | 0044-03-15 BC | \"0044-03-15 BC\"",
        "TEXT | say \"hi\" | \"say \\\"hi\\\"\"",
      })
  void b15b16b17WritesValuesAsPostgresPrintsThem(Kind kind, String text, String expected) {
    assertThat(row(kind, false, text)).isEqualTo("{\"c\":" + expected + "}");
  }

  @Test
  void tellsNullFromEmpty() {
    assertThat(row(Kind.TEXT, false, null)).isEqualTo("{\"c\":null}");
    assertThat(row(Kind.TEXT, false, "")).isEqualTo("{\"c\":\"\"}");
    assertThat(row(Kind.TEXT, true, null)).isEqualTo("{\"c\":null}");
  }

  @Test
  void writesColumnsInTheirOrder() {
    StringBuilder out = new StringBuilder();
    RowJson.append(
        out,
        List.of(column("z", Kind.TEXT, false), column("a\"", Kind.NUMBER, false)),
        Arrays.asList("x", null));

    assertThat(out.toString()).isEqualTo("{\"z\":\"x\",\"a\\\"\":null}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "TEXT | {} | []",
        "TEXT | {a,NULL,\"NULL\",\"\",\"a \\\"q\\\" \\\\\",\"{x,y}\"} "
            + "| [\"a\",null,\"NULL\",\"\",\"a \\\"q\\\" \\\\\",\"{x,y}\"]",
        "NUMBER | {{1.50,2},{NaN,NULL}} | [[1.50,2],[\"NaN\",null]]",
        "NUMBER | [0:1]={1,2} | [1,2]",
        "BOOLEAN | {t,f} | [true,false]",
        "BYTES | {\"\\\\\\\\x00\",\"\\\\\\\\x\"} | [\"AA==\",\"\"]",
        "TEXT | {\"2024-03-31 00:30:00+00\",infinity} | [\"2024-03-31 00:30:00+00\",\"infinity\"]",
      })
  void writesArraysWithTheirElements(Kind kind, String text, String expected) {
    // The table above shows a backslash of bytea's text as PostgreSQL's array text has it.
    assertThat(row(kind, true, text.replace("\\\\\\\\", "\\\\")))
        .isEqualTo("{\"c\":" + expected + "}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a", "{", "{a", "{\"a}", "{a}b", "[0:1"})
  void refusesTextThatIsNoArray(String text) {
    assertThatIllegalArgumentException().isThrownBy(() -> row(Kind.TEXT, true, text));
  }

  private static String row(Kind kind, boolean array, @Nullable String value) {
    StringBuilder out = new StringBuilder();
    RowJson.append(out, List.of(column("c", kind, array)), Arrays.asList(value));
    return out.toString();
  }

  private static ReplicaColumn column(String name, Kind kind, boolean array) {
    return new ReplicaColumn(name, "text", kind, array);
  }
}
