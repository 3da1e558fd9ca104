package dev.tidemark.topics.route;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What names may look like. Every check returns the rule that was broken, or empty when the name is
 * good.
 */
public final class NameRules {

  /** PostgreSQL's limit for an identifier (NAMEDATALEN - 1); it cuts longer ones silently. */
  private static final int LONGEST_BYTES = 63;

  private static final int LONGEST_PIPELINE = 100;

  private static final Pattern IDENTIFIER = Pattern.compile("[a-z_][a-z0-9_]*");
  private static final Pattern SLOT = Pattern.compile("[a-z0-9_]{1,63}");
  private static final Pattern PIPELINE = Pattern.compile("[A-Za-z0-9_-]+");

  /** Columns that every replica table has. */
  private static final Set<String> BOOKKEEPING =
      Set.of("tenant_id", "source_lsn", "updated_at", "tidemark_generation");

  /** Columns that PostgreSQL itself adds to every table. */
  private static final Set<String> SYSTEM =
      Set.of("ctid", "xmin", "xmax", "cmin", "cmax", "tableoid");

  private static final String RESERVED_PREFIX = "tidemark_";

  private NameRules() {}

  static Optional<String> target(String name) {
    return identifier(name)
        .or(
            () ->
                name.startsWith(RESERVED_PREFIX)
                    ? Optional.of("names that start with `tidemark_` are Tidemark's own tables")
                    : Optional.empty());
  }

  /** The rule for columns of a replica table. */
  public static Optional<String> column(String name) {
    return identifier(name).or(() -> reserved(name));
  }

  /** Why a replica column may not have this name although it is well formed. */
  static Optional<String> reserved(String name) {
    if (BOOKKEEPING.contains(name)) {
      return Optional.of("every replica table has a column of that name already; choose another");
    }
    if (SYSTEM.contains(name)) {
      return Optional.of("it is a system column of PostgreSQL; choose another name");
    }
    return Optional.empty();
  }

  /** The rule for names that Tidemark creates in the replica database. */
  static Optional<String> identifier(String name) {
    if (bytes(name) > LONGEST_BYTES) {
      return tooLong(name);
    }
    return rule(
        IDENTIFIER,
        name,
        "use a lower-case letter or underscore, then lower-case letters, digits and underscores");
  }

  /** The rule for names that exist in the source: anything that PostgreSQL's catalog can hold. */
  static Optional<String> existing(String name) {
    if (name.indexOf('\0') >= 0) {
      return Optional.of("a name cannot hold the character NUL");
    }
    return bytes(name) > LONGEST_BYTES ? tooLong(name) : Optional.empty();
  }

  static Optional<String> slot(String name) {
    return bytes(name) > LONGEST_BYTES
        ? tooLong(name)
        : rule(SLOT, name, "use lower-case letters, digits and underscores");
  }

  static Optional<String> pipeline(String name) {
    return name.length() > LONGEST_PIPELINE
        ? Optional.of("it has " + name.length() + " characters, and 100 are allowed")
        : rule(PIPELINE, name, "use letters, digits, hyphens and underscores");
  }

  private static Optional<String> rule(Pattern pattern, String name, String rule) {
    return pattern.matcher(name).matches() ? Optional.empty() : Optional.of(rule);
  }

  private static Optional<String> tooLong(String name) {
    return Optional.of(
        "it has %d bytes, and PostgreSQL allows %d".formatted(bytes(name), LONGEST_BYTES));
  }

  private static int bytes(String name) {
    return name.getBytes(StandardCharsets.UTF_8).length;
  }
}
