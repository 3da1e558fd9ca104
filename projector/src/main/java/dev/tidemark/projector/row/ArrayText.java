package dev.tidemark.projector.row;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * PostgreSQL's text form of arrays, such as {@code {a,"b c",NULL}}. See "Array Input and Output
 * Syntax" in PostgreSQL's documentation.
 */
public final class ArrayText {

  private ArrayText() {}

  /** The text of a one-dimensional array, every element quoted. */
  public static String of(List<? extends @Nullable String> elements) {
    StringBuilder out = new StringBuilder("{");
    for (String element : elements) {
      if (out.length() > 1) {
        out.append(',');
      }
      if (element == null) {
        out.append("NULL");
      } else {
        out.append('"').append(element.replace("\\", "\\\\").replace("\"", "\\\"")).append('"');
      }
    }
    return out.append('}').toString();
  }

  /**
   * The top-level elements of an array's text; those of an array of arrays are themselves array
   * texts.
   */
  public static List<@Nullable String> elements(String text) {
    int open = text.indexOf('{');
    if (open < 0 || !text.endsWith("}")) {
      throw new RowException("the value is no array text");
    }
    List<@Nullable String> elements = new ArrayList<>();
    StringBuilder element = new StringBuilder();
    boolean quoted = false;
    boolean inQuotes = false;
    int depth = 0;
    for (int i = open + 1; i < text.length() - 1; i++) {
      char c = text.charAt(i);
      if (c == '\\') {
        // Inside an inner array the text stays as it is, for its own reading.
        if (depth > 0) {
          element.append(c);
        }
        element.append(text.charAt(++i));
      } else if (c == '"') {
        inQuotes = !inQuotes;
        if (depth > 0) {
          element.append(c);
        } else {
          quoted = true;
        }
      } else if (c == ',' && !inQuotes && depth == 0) {
        elements.add(element(element, quoted));
        element.setLength(0);
        quoted = false;
      } else {
        if (!inQuotes) {
          depth += c == '{' ? 1 : c == '}' ? -1 : 0;
        }
        element.append(c);
      }
    }
    if (quoted || !element.isEmpty()) {
      elements.add(element(element, quoted));
    }
    return elements;
  }

  private static @Nullable String element(StringBuilder element, boolean quoted) {
    String text = element.toString();
    return !quoted && text.equalsIgnoreCase("NULL") ? null : text;
  }
}
