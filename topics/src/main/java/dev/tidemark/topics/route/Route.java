package dev.tidemark.topics.route;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/** One replica table and where its rows come from. */
public sealed interface Route permits DocumentRoute, TableRoute {

  /** The replica table, in schema {@code public}; unique within a route file. */
  String target();

  /** The declared columns, in the order of the file. */
  List<ColumnMapping> columns();

  /**
   * The name under {@code permissions} that guards reads: the document type, or the target of a
   * table route.
   */
  String permission();

  /**
   * Sixteen hexadecimal digits that change when the rows of this route would change. A replica
   * table is complete for a route only after a snapshot that was projected under the same
   * fingerprint.
   */
  default String fingerprint() {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(toString().getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest, 0, 8);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
