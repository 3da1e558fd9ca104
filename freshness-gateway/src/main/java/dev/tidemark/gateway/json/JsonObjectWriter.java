package dev.tidemark.gateway.json;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Builds one JSON object, member by member, in the order of the calls. Not thread-safe. */
public final class JsonObjectWriter {

  private final StringBuilder out = new StringBuilder("{");

  /** A string, or null. */
  public JsonObjectWriter text(String name, @Nullable Object value) {
    key(name);
    JsonText.quote(out, value == null ? null : value.toString());
    return this;
  }

  /** A number or truth value, or null. */
  public JsonObjectWriter value(String name, @Nullable Object value) {
    key(name).append(value);
    return this;
  }

  /** JSON that is already text. */
  public JsonObjectWriter raw(String name, String json) {
    key(name).append(json);
    return this;
  }

  /** The object. */
  public String json() {
    return out + "}";
  }

  /** The object as UTF-8. */
  public byte[] bytes() {
    return json().getBytes(StandardCharsets.UTF_8);
  }

  private StringBuilder key(String name) {
    if (out.length() > 1) {
      out.append(',');
    }
    return JsonText.quote(out, name).append(':');
  }
}
