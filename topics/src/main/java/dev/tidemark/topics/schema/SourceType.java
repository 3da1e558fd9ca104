package dev.tidemark.topics.schema;

import dev.tidemark.topics.route.ColumnType;
import dev.tidemark.topics.route.ColumnType.Scalar;
import java.util.Map;
import java.util.Optional;

/**
 * The type of a source column, without modifiers.
 *
 * @param name the catalog's name of the scalar, or of the element: {@code int4}, {@code varchar}
 * @param kind what the scalar is
 * @param array whether it is an array of it
 */
public record SourceType(String name, Kind kind, boolean array) {

  /** What a scalar type is. */
  public enum Kind {
    /** One of PostgreSQL's own. */
    BUILT_IN,
    /** An enumeration. */
    ENUMERATION,
    /** A domain, a composite, or a type of an extension. */
    OTHER
  }

  private static final Map<String, Scalar> PLAIN =
      Map.ofEntries(
          Map.entry("int2", Scalar.INTEGER),
          Map.entry("int4", Scalar.INTEGER),
          Map.entry("int8", Scalar.BIGINT),
          Map.entry("text", Scalar.TEXT),
          Map.entry("varchar", Scalar.TEXT),
          Map.entry("bpchar", Scalar.TEXT),
          Map.entry("float4", Scalar.DOUBLE),
          Map.entry("float8", Scalar.DOUBLE),
          Map.entry("numeric", Scalar.NUMERIC),
          Map.entry("bool", Scalar.BOOLEAN),
          Map.entry("date", Scalar.DATE),
          Map.entry("timestamp", Scalar.TIMESTAMP),
          Map.entry("timestamptz", Scalar.TIMESTAMPTZ),
          Map.entry("uuid", Scalar.UUID),
          Map.entry("jsonb", Scalar.JSONB),
          Map.entry("bytea", Scalar.BYTEA));

  /**
   * The replica type that holds every value of this type exactly; empty when there is none, so that
   * a route must declare one.
   */
  public Optional<ColumnType> plain() {
    Optional<Scalar> scalar =
        switch (kind) {
          case BUILT_IN -> Optional.ofNullable(PLAIN.get(name));
          case ENUMERATION -> Optional.of(Scalar.TEXT);
          case OTHER -> Optional.empty();
        };
    return scalar
        .filter(found -> !(array && found == Scalar.JSONB))
        .map(found -> new ColumnType(found, array));
  }

  /**
   * Whether the texts of this type can be read as the declared type. Between plain types the
   * route's author decides; what has no plain type travels as text only.
   */
  public boolean fits(ColumnType declared) {
    if (declared.equals(ColumnType.TEXT)) {
      return true;
    }
    if (json()) {
      return declared.scalar() == Scalar.JSONB;
    }
    return plain().isPresent() && declared.array() == array;
  }

  /** Whether distinct values stay distinct in the declared type, as a key's must. */
  public boolean keepsKeysApart(ColumnType declared) {
    return declared.equals(ColumnType.TEXT)
        || plain().map(found -> found.equals(declared) || widens(found, declared)).orElse(false);
  }

  private static boolean widens(ColumnType from, ColumnType to) {
    return !from.array()
        && !to.array()
        && switch (from.scalar()) {
          case INTEGER -> to.scalar() == Scalar.BIGINT || to.scalar() == Scalar.NUMERIC;
          case BIGINT -> to.scalar() == Scalar.NUMERIC;
          case TEXT, NUMERIC, DOUBLE, BOOLEAN, DATE, TIMESTAMP, TIMESTAMPTZ, UUID, JSONB, BYTEA ->
              false;
        };
  }

  /** Whether paths can lead into values of this type. */
  public boolean json() {
    return kind == Kind.BUILT_IN && !array && (name.equals("json") || name.equals("jsonb"));
  }

  /** Whether {@code length} means something: JSON, an array, or a text. */
  public boolean measurable() {
    return array || json() || plain().equals(Optional.of(ColumnType.TEXT));
  }
}
