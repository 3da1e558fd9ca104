package dev.tidemark.gateway.json;

import java.io.StringReader;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.json.JsonFactory;

/**
 * JSON merge patch (RFC 7396) over text. Numbers, strings and arrays are copied as they are
 * written, so no digit is lost. Of a key that is written twice the last one counts, as in
 * PostgreSQL's jsonb.
 */
public final class MergePatch {

  private static final JsonFactory FACTORY = JsonFactory.builder().build();

  private MergePatch() {}

  /** A patch or document that is not a JSON object. */
  public static final class NotAnObjectException extends Exception {
    private static final long serialVersionUID = 1L;

    NotAnObjectException(String message) {
      super(message);
    }
  }

  /**
   * The document after the patch.
   *
   * @param document a JSON object
   * @param patch a JSON object; members that are null remove, objects merge, all else replaces
   * @throws NotAnObjectException when either text is no JSON object; the message holds none of it
   */
  public static String apply(String document, String patch) throws NotAnObjectException {
    Tree target = parse(document);
    merge(target, parse(patch));
    StringBuilder out = new StringBuilder(document.length() + patch.length());
    write(out, target);
    return out.toString();
  }

  private sealed interface Node permits Tree, Raw {}

  private record Tree(Map<String, Node> members) implements Node {
    Tree() {
      this(new LinkedHashMap<>());
    }
  }

  private record Raw(String text) implements Node {
    boolean isNull() {
      return text.equals("null");
    }
  }

  private static void merge(Tree target, Tree patch) {
    patch
        .members()
        .forEach(
            (name, value) -> {
              switch (value) {
                case Raw raw when raw.isNull() -> target.members().remove(name);
                case Raw raw -> target.members().put(name, raw);
                case Tree changes -> {
                  Tree child =
                      target.members().get(name) instanceof Tree existing ? existing : new Tree();
                  merge(child, changes);
                  target.members().put(name, child);
                }
              }
            });
  }

  private static Tree parse(String text) throws NotAnObjectException {
    try (JsonParser parser =
        FACTORY.createParser(ObjectReadContext.empty(), new StringReader(text))) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw new NotAnObjectException("the body is JSON, but not a JSON object");
      }
      Tree tree = object(parser, text);
      if (parser.nextToken() != null) {
        throw new NotAnObjectException("the body goes on after the JSON object");
      }
      return tree;
    } catch (StreamConstraintsException e) {
      throw new NotAnObjectException(
          "the document or the patch is nested deeper than "
              + StreamReadConstraints.DEFAULT_MAX_DEPTH
              + " levels, or has a number or a name that is too long to be merged");
    } catch (JacksonException e) {
      var location = e.getLocation();
      throw new NotAnObjectException(
          "the body is not valid JSON"
              + (location == null
                  ? ""
                  : ", at line " + location.getLineNr() + ", column " + location.getColumnNr()));
    }
  }

  private static Tree object(JsonParser parser, String text) {
    Tree tree = new Tree();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      JsonToken token = parser.nextToken();
      tree.members()
          .put(name, token == JsonToken.START_OBJECT ? object(parser, text) : raw(parser, text));
    }
    return tree;
  }

  private static Raw raw(JsonParser parser, String text) {
    int from = (int) parser.currentTokenLocation().getCharOffset();
    if (parser.currentToken() == JsonToken.START_ARRAY) {
      parser.skipChildren();
      return new Raw(text.substring(from, (int) parser.currentLocation().getCharOffset()));
    }
    if (parser.currentToken() == JsonToken.VALUE_STRING) {
      return new Raw(JsonText.quoted(parser.getString()));
    }
    return new Raw(parser.getString());
  }

  private static void write(StringBuilder out, Node node) {
    switch (node) {
      case Raw raw -> out.append(raw.text());
      case Tree tree -> {
        out.append('{');
        boolean first = true;
        for (Map.Entry<String, Node> member : tree.members().entrySet()) {
          if (!first) {
            out.append(',');
          }
          first = false;
          JsonText.quote(out, member.getKey()).append(':');
          write(out, member.getValue());
        }
        out.append('}');
      }
    }
  }
}
