package dev.tidemark.tests.contract;

import java.util.Comparator;

/**
 * One answer of the description.
 *
 * @param path the template, such as {@code /api/doc/{doctype}/{name}}; {@link #ELSEWHERE} for paths
 *     and methods that are not described
 * @param method in upper case
 * @param status HTTP's status code
 */
record Place(String path, String method, int status) implements Comparable<Place> {

  /** Stands for all paths, or all methods of a path, that the description does not have. */
  static final String ELSEWHERE = "(elsewhere)";

  private static final Comparator<Place> ORDER =
      Comparator.comparing(Place::path)
          .thenComparing(Place::method)
          .thenComparingInt(Place::status);

  static Place elsewhere(int status) {
    return new Place(ELSEWHERE, "ANY", status);
  }

  @Override
  public int compareTo(Place other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    return method + " " + path + " " + status;
  }
}
