package dev.tidemark.projector.row;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A value inside a JSON text, with the digits and the spelling that it has there.
 *
 * @param kind what it is
 * @param json its JSON form, cut out of the text as it stands
 * @param text what PostgreSQL's {@code ->>} gives: a string's characters, else {@code json}; null
 *     for JSON's null
 */
public record JsonValue(Kind kind, String json, @Nullable String text) {

  /** What a JSON value is. */
  public enum Kind {
    OBJECT,
    ARRAY,
    STRING,
    NUMBER,
    BOOLEAN,
    NULL
  }

  private static final JsonFactory FACTORY =
      new JsonFactoryBuilder()
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .disable(JsonReadFeature.ALLOW_TRAILING_COMMA)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxStringLength(Integer.MAX_VALUE)
                  .maxNumberLength(Integer.MAX_VALUE)
                  .maxNameLength(Integer.MAX_VALUE)
                  .maxNestingDepth(10_000)
                  .build())
          .build();

  /**
   * Finds the value under the keys. As with PostgreSQL's {@code ->}, the last of several equal keys
   * counts, and a path through anything but objects leads nowhere.
   *
   * @param path keys, outermost first; none for the whole text
   * @return empty when there is no such value
   * @throws RowException when the text is no JSON
   */
  public static Optional<JsonValue> at(String json, List<String> path) {
    try (JsonParser parser = FACTORY.createParser(json)) {
      parser.nextToken();
      return Optional.ofNullable(find(parser, json, path, 0));
    } catch (IOException e) {
      throw new RowException("the value is no JSON text", e);
    }
  }

  /** The elements of an array. */
  public List<JsonValue> elements() {
    List<JsonValue> elements = new ArrayList<>();
    try (JsonParser parser = FACTORY.createParser(json)) {
      parser.nextToken();
      while (parser.nextToken() != JsonToken.END_ARRAY) {
        elements.add(read(parser, json));
      }
      return elements;
    } catch (IOException e) {
      throw new RowException("the value is no JSON array", e);
    }
  }

  /**
   * The elements of an array, the keys of an object, the characters of a string; null for other
   * kinds.
   */
  public @Nullable Integer length() {
    return switch (kind) {
      case ARRAY, OBJECT -> children();
      case STRING -> text == null ? null : text.codePointCount(0, text.length());
      case NUMBER, BOOLEAN, NULL -> null;
    };
  }

  private int children() {
    int count = 0;
    try (JsonParser parser = FACTORY.createParser(json)) {
      JsonToken start = parser.nextToken();
      JsonToken end = start == JsonToken.START_ARRAY ? JsonToken.END_ARRAY : JsonToken.END_OBJECT;
      while (parser.nextToken() != end) {
        if (parser.currentToken() == JsonToken.FIELD_NAME) {
          parser.nextToken();
        }
        parser.skipChildren();
        count++;
      }
      return count;
    } catch (IOException e) {
      throw new RowException("the value is no JSON text", e);
    }
  }

  private static @Nullable JsonValue find(
      JsonParser parser, String json, List<String> path, int depth) throws IOException {
    if (depth == path.size()) {
      return read(parser, json);
    }
    if (parser.currentToken() != JsonToken.START_OBJECT) {
      parser.skipChildren();
      return null;
    }
    JsonValue found = null;
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      boolean here = parser.currentName().equals(path.get(depth));
      parser.nextToken();
      if (here) {
        found = find(parser, json, path, depth + 1);
      } else {
        parser.skipChildren();
      }
    }
    return found;
  }

  /** Reads the value that the parser stands on, and leaves the parser on its last token. */
  private static JsonValue read(JsonParser parser, String json) throws IOException {
    JsonToken token = parser.currentToken();
    int start = (int) parser.currentTokenLocation().getCharOffset();
    String text = null;
    Kind kind =
        switch (token) {
          case START_OBJECT -> Kind.OBJECT;
          case START_ARRAY -> Kind.ARRAY;
          case VALUE_STRING -> Kind.STRING;
          case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> Kind.NUMBER;
          case VALUE_TRUE, VALUE_FALSE -> Kind.BOOLEAN;
          case VALUE_NULL -> Kind.NULL;
          case NOT_AVAILABLE, END_OBJECT, END_ARRAY, FIELD_NAME, VALUE_EMBEDDED_OBJECT ->
              throw new RowException("the value is no JSON text");
        };
    if (kind == Kind.OBJECT || kind == Kind.ARRAY) {
      parser.skipChildren();
    } else if (kind != Kind.NULL) {
      text = parser.getText();
    }
    parser.finishToken();
    int end = (int) parser.currentLocation().getCharOffset();
    String cut = kind == Kind.NUMBER ? parser.getText() : json.substring(start, end);
    return new JsonValue(kind, cut, kind == Kind.OBJECT || kind == Kind.ARRAY ? cut : text);
  }
}
