package dev.tidemark.topics;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A position in the source's write-ahead log: an unsigned 64-bit byte offset, written as two
 * hexadecimal halves, as PostgreSQL's {@code pg_lsn} type does.
 *
 * <p>Ordering and subtraction are unsigned. Two positions are comparable only within one {@link
 * Generation}.
 *
 * @param value the 64 bits; negative values of the {@code long} are the upper half of the unsigned
 *     range
 */
public record Lsn(long value) implements Comparable<Lsn> {

  /** {@code 0/0}, PostgreSQL's invalid position: below every position that a log can hold. */
  public static final Lsn ZERO = new Lsn(0);

  private static final Pattern TEXT = Pattern.compile("([0-9A-Fa-f]{1,8})/([0-9A-Fa-f]{1,8})");

  /**
   * Reads the text form, as strictly as PostgreSQL's {@code pg_lsn_in} does: one to eight
   * hexadecimal digits on each side of the slash, in either case, and nothing around them.
   *
   * @throws IllegalArgumentException when the text is anything else; the message says what is
   *     expected
   */
  public static Lsn parse(String text) {
    Matcher matcher = TEXT.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "not an LSN: expected 1 to 8 hexadecimal digits, a slash, and 1 to 8 hexadecimal digits, such as"
              + " 0/387F920");
    }
    long high = Long.parseLong(matcher.group(1), 16);
    long low = Long.parseLong(matcher.group(2), 16);
    return new Lsn(high << 32 | low);
  }

  /** Whether this position is at or after {@code other}. */
  public boolean reaches(Lsn other) {
    return compareTo(other) >= 0;
  }

  /** Whether this position is after {@code other}. */
  public boolean isAfter(Lsn other) {
    return compareTo(other) > 0;
  }

  /** The later of the two. */
  public Lsn max(Lsn other) {
    return reaches(other) ? this : other;
  }

  /** Bytes from {@code earlier} to this position, or 0 when {@code earlier} is not earlier. */
  public long bytesSince(Lsn earlier) {
    return isAfter(earlier) ? value - earlier.value : 0;
  }

  @Override
  public int compareTo(Lsn other) {
    return Long.compareUnsigned(value, other.value);
  }

  /** PostgreSQL's own text form: upper case, without leading zeros, such as {@code 0/387F920}. */
  @Override
  public String toString() {
    return Long.toHexString(value >>> 32).toUpperCase(java.util.Locale.ROOT)
        + "/"
        + Long.toHexString(value & 0xFFFF_FFFFL).toUpperCase(java.util.Locale.ROOT);
  }
}
