package dev.tidemark.gateway.desk;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/**
 * One file of the pages.
 *
 * @param name the last part of its path
 * @param type its {@code Content-Type}
 * @param content its bytes; never changed
 * @param etag a strong entity tag of the content, with its quotes
 */
record DeskFile(String name, String type, byte[] content, String etag) {

  /** The page itself, which is served at {@code /desk/}. */
  static final String PAGE = "index.html";

  static final List<String> NAMES =
      List.of(
          PAGE,
          "desk.css",
          "desk.js",
          "dom.js",
          "events.js",
          "icon.svg",
          "plot.js",
          "problems.js",
          "replication.js",
          "session.js",
          "tidemark.js",
          "waybill.js");

  /** Reads a file from the class path. */
  static DeskFile load(String name) {
    try (InputStream in = DeskFile.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("the gateway was built without " + name + " of its pages");
      }
      byte[] content = in.readAllBytes();
      return new DeskFile(name, type(name), content, etag(content));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String type(String name) {
    return switch (name.substring(name.lastIndexOf('.') + 1)) {
      case "html" -> "text/html;charset=UTF-8";
      case "css" -> "text/css;charset=UTF-8";
      case "js" -> "text/javascript;charset=UTF-8";
      case "svg" -> "image/svg+xml";
      default -> throw new IllegalStateException("no content type is known for " + name);
    };
  }

  private static String etag(byte[] content) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(content);
      return '"' + HexFormat.of().formatHex(digest, 0, 12) + '"';
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
