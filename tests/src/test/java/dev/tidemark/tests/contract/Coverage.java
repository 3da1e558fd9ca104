package dev.tidemark.tests.contract;

import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;

/** Which of the described answers were given in this JVM. Thread-safe. */
final class Coverage {

  private static final Set<Place> PLACES = new ConcurrentSkipListSet<>();
  private static final Set<String> PROBLEMS = new ConcurrentSkipListSet<>();

  private Coverage() {}

  static void clear() {
    PLACES.clear();
    PROBLEMS.clear();
  }

  static void answered(Place place) {
    PLACES.add(place);
  }

  static void problem(String type) {
    PROBLEMS.add(type);
  }

  static SortedSet<Place> places() {
    return new TreeSet<>(PLACES);
  }

  static SortedSet<String> problems() {
    return new TreeSet<>(PROBLEMS);
  }
}
