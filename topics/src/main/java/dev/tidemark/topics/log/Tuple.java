package dev.tidemark.topics.log;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A row in PostgreSQL's text form, column by column in its relation's order. Immutable.
 *
 * <p>A column is null, has a text, or is {@linkplain #unchanged unchanged}: the source holds it out
 * of line (TOAST), the update did not touch it, and so it was not sent. Unchanged is a state of its
 * own, not a value that a user's text could equal.
 */
public final class Tuple {

  /**
   * What marks a column as unchanged in {@link #of}: this object, by identity; never its
   * characters.
   */
  @SuppressWarnings(
      "StringOperationCanBeSimplified") // a text of its own, which no other code can hold
  public static final String UNCHANGED = new String("unchanged");

  private final @Nullable String[] columns;

  private Tuple(@Nullable String[] columns) {
    this.columns = columns;
  }

  /**
   * A row of the given texts; null for null, and {@link #UNCHANGED} for unchanged. The array is
   * kept, not copied.
   */
  public static Tuple of(@Nullable String... columns) {
    return new Tuple(columns);
  }

  /** How many columns the row has. */
  public int size() {
    return columns.length;
  }

  /** Whether the source did not send the column since the update left it as it was. */
  @SuppressWarnings("ReferenceEquality")
  public boolean unchanged(int column) {
    return columns[column] == UNCHANGED;
  }

  /**
   * The column's text, or null.
   *
   * @throws IllegalStateException when the column is unchanged: its value is not known here
   */
  public @Nullable String text(int column) {
    if (unchanged(column)) {
      throw new IllegalStateException("column " + column + " is unchanged and was not sent");
    }
    return columns[column];
  }

  /**
   * A row with this one's columns, those that are unchanged taken from {@code old} where it has
   * them.
   */
  public Tuple completedFrom(Tuple old) {
    @Nullable String[] merged = columns.clone();
    for (int i = 0; i < merged.length; i++) {
      if (unchanged(i) && i < old.size() && old.columns[i] != null) {
        merged[i] = old.columns[i];
      }
    }
    return new Tuple(merged);
  }

  /** Roughly the bytes this row takes in a record. */
  int weight() {
    int bytes = 0;
    for (int i = 0; i < columns.length; i++) {
      String text = columns[i];
      bytes += text == null || unchanged(i) ? 1 : 4 + text.length();
    }
    return bytes;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    if (!(other instanceof Tuple tuple) || tuple.size() != size()) {
      return false;
    }
    for (int i = 0; i < columns.length; i++) {
      if (unchanged(i) != tuple.unchanged(i)) {
        return false;
      }
    }
    return Arrays.equals(columns, tuple.columns);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(columns);
  }

  /** Which columns are null, sent and unchanged; never a value. */
  @Override
  public String toString() {
    List<String> kinds =
        java.util.stream.IntStream.range(0, columns.length)
            .mapToObj(i -> unchanged(i) ? "unchanged" : columns[i] == null ? "null" : "text")
            .toList();
    return "Tuple" + kinds;
  }
}
