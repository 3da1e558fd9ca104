package dev.tidemark.gateway.problem;

import dev.tidemark.gateway.json.JsonObjectWriter;
import dev.tidemark.gateway.json.JsonText;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * One error answer (RFC 9457).
 *
 * @param kind what happened
 * @param detail what was found, and what to do; never a secret, a tenant or a row
 * @param members further members by name, each already JSON
 * @param headers response headers that belong to it
 */
public record Problem(
    ProblemKind kind, String detail, Map<String, String> members, Map<String, String> headers) {

  /** The media type of the answer. */
  public static final String MEDIA_TYPE = "application/problem+json";

  public Problem {
    members = Map.copyOf(members);
    headers = Map.copyOf(headers);
  }

  /** A problem without further members. */
  public static Problem of(ProblemKind kind, String detail) {
    Map<String, String> headers =
        kind.status() == 503 ? Map.of("Retry-After", "1") : Map.<String, String>of();
    return new Problem(kind, detail, Map.of(), headers);
  }

  /** The same with a string member. */
  public Problem with(String name, String text) {
    return withJson(name, JsonText.quoted(text));
  }

  /** The same with a member that is an array of strings. */
  public Problem with(String name, List<String> texts) {
    return withJson(
        name, texts.stream().map(JsonText::quoted).collect(Collectors.joining(",", "[", "]")));
  }

  /** The same with a response header. */
  public Problem withHeader(String name, String value) {
    Map<String, String> more = new LinkedHashMap<>(headers);
    more.put(name, value);
    return new Problem(kind, detail, members, more);
  }

  /** As an exception, for where an answer can't be returned. */
  public ProblemException exception() {
    return new ProblemException(this);
  }

  /** The body. */
  public byte[] body() {
    JsonObjectWriter json =
        new JsonObjectWriter()
            .text("type", kind.type())
            .text("title", kind.title())
            .value("status", kind.status())
            .text("detail", detail);
    members.forEach(json::raw);
    return json.bytes();
  }

  private Problem withJson(String name, String json) {
    Map<String, String> more = new LinkedHashMap<>(members);
    more.put(name, json);
    return new Problem(kind, detail, more, headers);
  }
}
