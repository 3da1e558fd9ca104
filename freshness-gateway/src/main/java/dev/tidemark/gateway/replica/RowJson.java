package dev.tidemark.gateway.replica;

import dev.tidemark.gateway.json.JsonText;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Writes a row as JSON from PostgreSQL's own text of its values, so that no digit changes. */
final class RowJson {

  private static final Pattern NUMBER =
      Pattern.compile("-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]+)?");

  private RowJson() {}

  /** Appends the row as an object, with the columns in their order. */
  static void append(
      StringBuilder out, List<ReplicaColumn> columns, List<@Nullable String> values) {
    out.append('{');
    for (int i = 0; i < columns.size(); i++) {
      if (i > 0) {
        out.append(',');
      }
      ReplicaColumn column = columns.get(i);
      JsonText.quote(out, column.name()).append(':');
      String value = values.get(i);
      if (value != null && column.array()) {
        ArrayText.append(out, value, (to, element) -> scalar(to, column.kind(), element));
      } else {
        scalar(out, column.kind(), value);
      }
    }
    out.append('}');
  }

  private static void scalar(StringBuilder out, ReplicaColumn.Kind kind, @Nullable String value) {
    if (value == null) {
      out.append("null");
      return;
    }
    switch (kind) {
      case NUMBER -> {
        // NaN and Infinity, which JSON has no number for, become strings.
        if (NUMBER.matcher(value).matches()) {
          out.append(value);
        } else {
          JsonText.quote(out, value);
        }
      }
      case BOOLEAN -> out.append(value.startsWith("t"));
      case JSON -> out.append(value);
      case BYTES -> out.append('"').append(base64(value)).append('"');
      case TEXT -> JsonText.quote(out, value);
    }
  }

  /** From {@code bytea_output = hex}: a backslash, an x, and two digits a byte. */
  private static String base64(String hex) {
    return Base64.getEncoder().encodeToString(HexFormat.of().parseHex(hex, 2, hex.length()));
  }
}
