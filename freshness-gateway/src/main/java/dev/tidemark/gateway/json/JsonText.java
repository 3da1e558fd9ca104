package dev.tidemark.gateway.json;

import org.jspecify.annotations.Nullable;

/** Writes JSON strings (RFC 8259) and the members of small objects. */
public final class JsonText {

  private static final char[] HEX = "0123456789abcdef".toCharArray();

  private JsonText() {}

  /** Appends the text as a JSON string, or {@code null}. */
  public static StringBuilder quote(StringBuilder out, @Nullable String text) {
    if (text == null) {
      return out.append("null");
    }
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"' -> out.append("\\\"");
        case '\\' -> out.append("\\\\");
        case '\n' -> out.append("\\n");
        case '\r' -> out.append("\\r");
        case '\t' -> out.append("\\t");
        default -> {
          if (c < 0x20 || (Character.isSurrogate(c) && !paired(text, i))) {
            escape(out, c);
          } else {
            out.append(c);
          }
        }
      }
    }
    return out.append('"');
  }

  /** Half a surrogate pair has no UTF-8 form, so it stays an escape, which PostgreSQL refuses. */
  private static boolean paired(String text, int i) {
    return Character.isHighSurrogate(text.charAt(i))
        ? i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1))
        : i > 0 && Character.isHighSurrogate(text.charAt(i - 1));
  }

  private static void escape(StringBuilder out, char c) {
    out.append("\\u");
    for (int shift = 12; shift >= 0; shift -= 4) {
      out.append(HEX[c >> shift & 0xF]);
    }
  }

  /** The text as a JSON string. */
  public static String quoted(@Nullable String text) {
    return quote(new StringBuilder(), text).toString();
  }
}
