package dev.tidemark.topics.route;

import dev.tidemark.topics.Fingerprint;
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
    return Fingerprint.of(toString());
  }
}
