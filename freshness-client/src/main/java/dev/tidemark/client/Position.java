package dev.tidemark.client;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A position in the source's write-ahead log: an unsigned 64-bit byte offset, written as two
 * hexadecimal halves, as PostgreSQL's {@code pg_lsn} type does. Positions are ordered as unsigned
 * numbers, and only within one history of the source ({@link Token#generation()}).
 *
 * @param value the 64 bits; negative values of the {@code long} are the upper half of the range
 */
public record Position(long value) implements Comparable<Position> {

  private static final Pattern TEXT = Pattern.compile("([0-9A-Fa-f]{1,8})/([0-9A-Fa-f]{1,8})");

  /**
   * Reads the text form: one to eight hexadecimal digits on each side of the slash, in either case,
   * and nothing around them.
   *
   * @throws IllegalArgumentException when the text is anything else; it is not repeated in the
   *     message, which may end up in a log
   */
  public static Position parse(String text) {
    Matcher matcher = TEXT.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "not a position: expected 1 to 8 hexadecimal digits, a slash, and 1 to 8 hexadecimal"
              + " digits, such as 0/387F920");
    }
    long high = Long.parseLong(matcher.group(1), 16);
    long low = Long.parseLong(matcher.group(2), 16);
    return new Position(high << 32 | low);
  }

  /** Whether this position is at or after {@code other}. */
  public boolean reaches(Position other) {
    return compareTo(other) >= 0;
  }

  /** The later of the two. */
  public Position max(Position other) {
    return reaches(other) ? this : other;
  }

  @Override
  public int compareTo(Position other) {
    return Long.compareUnsigned(value, other.value);
  }

  /** PostgreSQL's own text form: upper case, without leading zeros, such as {@code 0/387F920}. */
  @Override
  public String toString() {
    return Long.toHexString(value >>> 32).toUpperCase(Locale.ROOT)
        + "/"
        + Long.toHexString(value & 0xFFFF_FFFFL).toUpperCase(Locale.ROOT);
  }
}
