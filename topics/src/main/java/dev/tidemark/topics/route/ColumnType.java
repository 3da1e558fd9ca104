package dev.tidemark.topics.route;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The type of a replica column: one of a closed set, or an array of one.
 *
 * @param scalar the type, or the element type
 * @param array whether it is an array of it
 */
public record ColumnType(Scalar scalar, boolean array) {

  /** The scalar types a replica column can have. */
  public enum Scalar {
    TEXT("text"),
    INTEGER("integer"),
    BIGINT("bigint"),
    NUMERIC("numeric"),
    DOUBLE("double precision"),
    BOOLEAN("boolean"),
    DATE("date"),
    TIMESTAMP("timestamp without time zone"),
    TIMESTAMPTZ("timestamp with time zone"),
    UUID("uuid"),
    JSONB("jsonb"),
    BYTEA("bytea");

    private final String sql;

    Scalar(String sql) {
      this.sql = sql;
    }

    /** The name in a route file. */
    public String word() {
      return name().toLowerCase(java.util.Locale.ROOT);
    }
  }

  /** {@code text}, the default of document routes. */
  public static final ColumnType TEXT = new ColumnType(Scalar.TEXT, false);

  /**
   * Reads the word of a route file, such as {@code integer} or {@code text[]}.
   *
   * @return empty when the word names no type of the set, or an array of {@code jsonb}
   */
  public static Optional<ColumnType> of(String word) {
    boolean array = word.endsWith("[]");
    String element = array ? word.substring(0, word.length() - 2) : word;
    return Arrays.stream(Scalar.values())
        .filter(scalar -> scalar.word().equals(element))
        .filter(scalar -> !(array && scalar == Scalar.JSONB))
        .findFirst()
        .map(scalar -> new ColumnType(scalar, array));
  }

  /** The words of all scalar types, for messages. */
  public static String allowed() {
    return Arrays.stream(Scalar.values()).map(Scalar::word).collect(Collectors.joining(", "));
  }

  /** The type as PostgreSQL's {@code format_type} prints it. */
  public String sql() {
    return array ? scalar.sql + "[]" : scalar.sql;
  }
}
