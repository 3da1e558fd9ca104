package dev.tidemark.topics.schema;

/** Quoting, after PostgreSQL's rules for quoted identifiers and string constants. */
public final class Sql {

  private Sql() {}

  /** The identifier in double quotes, so that case, spaces and key words are kept as they are. */
  public static String identifier(String name) {
    return '"' + name.replace("\"", "\"\"") + '"';
  }

  /**
   * The text as a string constant; with {@code standard_conforming_strings}, which is on since 9.1.
   */
  public static String literal(String text) {
    return '\'' + text.replace("'", "''") + '\'';
  }
}
