package dev.tidemark.gateway.replica;

import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Turns PostgreSQL's text form of an array (its manual, "Array Input and Output Syntax") into JSON:
 * nested braces become nested arrays, unquoted NULL becomes null, lower bounds are left out.
 */
final class ArrayText {

  private final String text;
  private final StringBuilder out;
  private final BiConsumer<StringBuilder, @Nullable String> element;
  private int at;

  private ArrayText(
      String text, StringBuilder out, BiConsumer<StringBuilder, @Nullable String> element) {
    this.text = text;
    this.out = out;
    this.element = element;
  }

  /**
   * Appends the array.
   *
   * @param element appends one element, given as PostgreSQL's text or null
   * @throws IllegalArgumentException when the text is no array
   */
  static void append(
      StringBuilder out, String text, BiConsumer<StringBuilder, @Nullable String> element) {
    ArrayText array = new ArrayText(text, out, element);
    array.at = text.startsWith("[") ? text.indexOf('=') + 1 : 0;
    array.array();
    if (array.at != text.length()) {
      throw new IllegalArgumentException("an array's text goes on after its end");
    }
  }

  private void array() {
    expect('{');
    out.append('[');
    while (peek() != '}') {
      if (peek() == ',') {
        at++;
        out.append(',');
      }
      item();
    }
    at++;
    out.append(']');
  }

  private void item() {
    switch (peek()) {
      case '{' -> array();
      case '"' -> element.accept(out, quoted());
      default -> {
        int from = at;
        while (peek() != ',' && peek() != '}') {
          at++;
        }
        String bare = text.substring(from, at);
        element.accept(out, bare.equalsIgnoreCase("NULL") ? null : bare);
      }
    }
  }

  private String quoted() {
    StringBuilder value = new StringBuilder();
    at++;
    while (peek() != '"') {
      if (peek() == '\\') {
        at++;
      }
      value.append(peek());
      at++;
    }
    at++;
    return value.toString();
  }

  private void expect(char c) {
    if (peek() != c) {
      throw new IllegalArgumentException("an array's text must begin with a brace");
    }
    at++;
  }

  private char peek() {
    if (at >= text.length()) {
      throw new IllegalArgumentException("an array's text ends too early");
    }
    return text.charAt(at);
  }
}
