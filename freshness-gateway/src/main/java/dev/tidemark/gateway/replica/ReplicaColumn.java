package dev.tidemark.gateway.replica;

/**
 * A column of a replica table that readers see.
 *
 * @param name the column's name
 * @param type its type as SQL, without a length or precision, for casts
 * @param kind how its values look in JSON
 * @param array whether it is an array of such values
 */
public record ReplicaColumn(String name, String type, Kind kind, boolean array) {

  /** How a value looks in JSON. */
  public enum Kind {
    /** A number with the digits that PostgreSQL prints; NaN and infinities are strings. */
    NUMBER,
    /** true or false. */
    BOOLEAN,
    /** JSON, embedded as it is. */
    JSON,
    /** Bytes, as a string in base64 (RFC 4648, section 4). */
    BYTES,
    /** A string of PostgreSQL's own text. */
    TEXT;

    /** The kind of a type, by its name in pg_type. */
    public static Kind ofType(String typname) {
      return switch (typname) {
        case "int2", "int4", "int8", "float4", "float8", "numeric" -> NUMBER;
        case "bool" -> BOOLEAN;
        case "json", "jsonb" -> JSON;
        case "bytea" -> BYTES;
        default -> TEXT;
      };
    }
  }
}
