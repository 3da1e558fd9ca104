package dev.tidemark.projector.row;

import dev.tidemark.topics.log.Tuple;
import dev.tidemark.topics.route.Transform;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Takes one replica column's value from a source row.
 *
 * @param column the replica column
 * @param index the source column's position
 * @param path keys into the JSON that the source column holds; none for the column itself
 * @param json whether the source column holds JSON
 * @param array whether the source column is an array
 * @param transform what is done with the value
 * @param type the replica column's SQL type
 */
record ColumnReader(
    String column,
    int index,
    List<String> path,
    boolean json,
    boolean array,
    Transform transform,
    String type) {

  /** Whether the source left the value out since it did not change. */
  boolean unchanged(Tuple row) {
    return row.unchanged(index);
  }

  /** The value in PostgreSQL's text form. */
  @Nullable String read(Tuple row) {
    String text = row.text(index);
    if (text == null) {
      return null;
    }
    try {
      if (transform == Transform.LENGTH) {
        return length(text);
      }
      return path.isEmpty()
          ? text
          : requireText(JsonValue.at(text, path).map(this::convert).orElse(null));
    } catch (RowException e) {
      throw new RowException("column " + column + ": " + e.getMessage(), e);
    }
  }

  /**
   * JSON's escapes name characters that PostgreSQL has no place for; its {@code ->>} refuses them.
   */
  private static @Nullable String requireText(@Nullable String text) {
    for (int i = 0; text != null && i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == 0) {
        throw new RowException(
            "the JSON string has a \\u0000, which PostgreSQL's text cannot hold");
      }
      if (Character.isHighSurrogate(c)
          && i + 1 < text.length()
          && Character.isLowSurrogate(text.charAt(i + 1))) {
        i++;
      } else if (Character.isSurrogate(c)) {
        throw new RowException(
            "the JSON string has half of a surrogate pair, which is no character");
      }
    }
    return text;
  }

  private @Nullable String length(String text) {
    if (json) {
      return JsonValue.at(text, path).map(JsonValue::length).map(String::valueOf).orElse(null);
    }
    int length = array ? ArrayText.elements(text).size() : text.codePointCount(0, text.length());
    return Integer.toString(length);
  }

  private @Nullable String convert(JsonValue value) {
    if (type.equals("jsonb")) {
      return value.json();
    }
    if (type.endsWith("[]") && value.kind() == JsonValue.Kind.ARRAY) {
      return ArrayText.of(value.elements().stream().map(JsonValue::text).toList());
    }
    return value.text();
  }
}
