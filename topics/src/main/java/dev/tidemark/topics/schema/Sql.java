package dev.tidemark.topics.schema;

import java.util.Collection;
import java.util.stream.Collectors;

/** Quoting, after PostgreSQL's rules for quoted identifiers and string constants. */
public final class Sql {

  private Sql() {}

  /** The identifier in double quotes, so that case, spaces and key words are kept as they are. */
  public static String identifier(String name) {
    return '"' + name.replace("\"", "\"\"") + '"';
  }

  /** The identifiers, each quoted, with commas between. */
  public static String identifiers(Collection<String> names) {
    return names.stream().map(Sql::identifier).collect(Collectors.joining(", "));
  }

  /**
   * The text as a string constant; with {@code standard_conforming_strings}, which is on since 9.1.
   */
  public static String literal(String text) {
    return '\'' + text.replace("'", "''") + '\'';
  }
}
