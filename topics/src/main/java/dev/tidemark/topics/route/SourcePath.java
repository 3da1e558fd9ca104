package dev.tidemark.topics.route;

import java.util.List;

/**
 * Where a replica column's value comes from. In a document route: keys into the document. In a
 * table route: a column, and possibly keys into the {@code json} or {@code jsonb} value that it
 * holds.
 *
 * @param segments one or more names, outermost first, none of them empty
 */
public record SourcePath(List<String> segments) {

  public SourcePath {
    segments = List.copyOf(segments);
    if (segments.isEmpty() || segments.contains("")) {
      throw new IllegalArgumentException("a path has one or more names, none of them empty");
    }
  }

  /** The document key, or the column of a table. */
  public String head() {
    return segments.getFirst();
  }

  /** The keys below {@link #head()}; empty for a plain column or a key at the top. */
  public List<String> tail() {
    return segments.subList(1, segments.size());
  }

  @Override
  public String toString() {
    return String.join(".", segments);
  }
}
