package dev.tidemark.gateway.doc;

import dev.tidemark.gateway.problem.Problem;
import dev.tidemark.gateway.problem.ProblemKind;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;

/**
 * Reads request bodies: bounded, strictly UTF-8, and as text, so that numbers keep their digits.
 */
public final class JsonBody {

  private final int limit;

  /** Accepts at most this many bytes. */
  public JsonBody(int limit) {
    this.limit = limit;
  }

  /**
   * The body, a JSON object by its first character; PostgreSQL parses the rest.
   *
   * @throws dev.tidemark.gateway.problem.ProblemException 400, 413 or 415
   */
  public String object(HttpServletRequest request) throws IOException {
    requireJson(request.getContentType());
    String text = text(read(request));
    String start = text.stripLeading();
    if (!start.startsWith("{")) {
      throw bad(
          start.isEmpty()
              ? "The body is empty; send a JSON object."
              : "The body must be a JSON object.");
    }
    if (text.indexOf('\0') >= 0) {
      throw bad("The body holds a NUL character, which JSON does not allow.");
    }
    return text;
  }

  /** The body as short text, such as {@code true}. */
  public String word(HttpServletRequest request) throws IOException {
    return text(read(request)).strip();
  }

  private byte[] read(HttpServletRequest request) throws IOException {
    if (request.getContentLengthLong() > limit) {
      throw tooLarge();
    }
    byte[] bytes = request.getInputStream().readNBytes(limit + 1);
    if (bytes.length > limit) {
      throw tooLarge();
    }
    return bytes;
  }

  private static String text(byte[] bytes) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw bad("The body is not UTF-8.");
    }
  }

  private static void requireJson(@Nullable String contentType) {
    if (contentType == null || mediaType(contentType).filter(JsonBody::json).isPresent()) {
      return;
    }
    throw Problem.of(
            ProblemKind.UNSUPPORTED_MEDIA_TYPE,
            "Send application/json, or application/merge-patch+json with PATCH, in UTF-8.")
        .withHeader("Accept-Patch", "application/merge-patch+json, application/json")
        .exception();
  }

  private static Optional<MediaType> mediaType(String contentType) {
    try {
      return Optional.of(MediaType.parseMediaType(contentType));
    } catch (InvalidMediaTypeException e) {
      return Optional.empty();
    }
  }

  private static boolean json(MediaType type) {
    try {
      if (type.getCharset() != null && !StandardCharsets.UTF_8.equals(type.getCharset())) {
        return false;
      }
    } catch (IllegalArgumentException e) {
      return false;
    }
    String subtype = type.getSubtype();
    return type.getType().equals("application")
        && (subtype.equals("json") || subtype.equals("merge-patch+json"));
  }

  private RuntimeException tooLarge() {
    return Problem.of(ProblemKind.BODY_TOO_LARGE, "A body may have at most " + limit + " bytes.")
        .exception();
  }

  static RuntimeException bad(String detail) {
    return Problem.of(ProblemKind.BAD_BODY, detail).exception();
  }
}
