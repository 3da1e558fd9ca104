package dev.tidemark.projector.tables;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.tidemark.projector.row.ArrayText;
import java.io.IOException;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The JSON form of a column's text in a table topic: numbers, booleans and arrays where JSON keeps
 * them exactly, and strings for the rest, as {@code docs/reference/table-topics.md} lists them.
 */
final class JsonColumn {

  private static final Pattern TIMESTAMP =
      Pattern.compile(
          "(\\d{4,}-\\d\\d-\\d\\d) (\\d\\d:\\d\\d:\\d\\d(?:\\.\\d+)?)([+-]\\d\\d(?::\\d\\d)*)?");

  private JsonColumn() {}

  /**
   * Writes a value.
   *
   * @param type PostgreSQL's name of the type, with a leading underscore for arrays
   */
  static void write(JsonGenerator out, String type, @Nullable String text) throws IOException {
    if (text == null) {
      out.writeNull();
    } else if (type.startsWith("_")) {
      writeArray(out, type.substring(1), text);
    } else {
      writeScalar(out, type, text);
    }
  }

  private static void writeArray(JsonGenerator out, String elementType, String text)
      throws IOException {
    out.writeStartArray();
    for (String element : ArrayText.elements(text)) {
      if (element != null && element.startsWith("{") && !elementType.startsWith("json")) {
        writeArray(out, elementType, element);
      } else {
        write(out, elementType, element);
      }
    }
    out.writeEndArray();
  }

  private static void writeScalar(JsonGenerator out, String type, String text) throws IOException {
    switch (type) {
      case "int2", "int4", "int8", "oid" -> out.writeNumber(text);
      case "float4", "float8" -> {
        char last = Character.toLowerCase(text.charAt(text.length() - 1));
        if (last == 'n' || last == 'y') {
          out.writeString(text);
        } else {
          out.writeNumber(text);
        }
      }
      case "bool" -> out.writeBoolean(text.toLowerCase(Locale.ROOT).startsWith("t"));
      case "bytea" ->
          out.writeString(
              Base64.getEncoder().encodeToString(HexFormat.of().parseHex(text.substring(2))));
      case "timestamp", "timestamptz" -> out.writeString(isoTimestamp(text));
      default -> out.writeString(text);
    }
  }

  /**
   * ISO 8601 where the year has four digits or more and is no BC year; {@code infinity} and the
   * rest stay.
   */
  private static String isoTimestamp(String text) {
    Matcher matcher = TIMESTAMP.matcher(text);
    if (!matcher.matches()) {
      return text;
    }
    String offset = matcher.group(3) == null ? "" : matcher.group(3);
    return matcher.group(1) + "T" + matcher.group(2) + (offset.equals("+00") ? "Z" : offset);
  }
}
