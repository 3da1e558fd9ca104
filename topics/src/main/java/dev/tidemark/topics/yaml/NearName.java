package dev.tidemark.topics.yaml;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Finds what was probably meant. */
public final class NearName {

  private static final int FARTHEST = 2;

  private NearName() {}

  /** A hint such as {@code "; did you mean `target`?"}, or an empty text when nothing is near. */
  public static String hint(String written, Collection<String> known) {
    return of(written, known).map(name -> "; did you mean `" + name + "`?").orElse("");
  }

  /** The nearest known name, at most two edits away and sharing at least one letter. */
  public static Optional<String> of(String written, Collection<String> known) {
    String lower = written.toLowerCase(Locale.ROOT);
    return known.stream()
        .filter(name -> distance(lower, name) <= Math.min(FARTHEST, name.length() - 1))
        .min(Comparator.comparingInt(name -> distance(lower, name)));
  }

  /** Levenshtein's distance. */
  private static int distance(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int substituted = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(substituted, Math.min(row[j], row[j - 1]) + 1);
      }
    }
    return row[b.length()];
  }
}
