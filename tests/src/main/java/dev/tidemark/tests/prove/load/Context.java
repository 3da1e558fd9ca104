package dev.tidemark.tests.prove.load;

import dev.tidemark.tests.prove.history.Crashes;
import dev.tidemark.tests.prove.history.Figures;
import dev.tidemark.tests.prove.history.Journal;
import dev.tidemark.tests.prove.history.Subject;
import dev.tidemark.tests.prove.history.Watermarks;
import dev.tidemark.tests.prove.system.Tidemark;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * What all writers, readers and faults share.
 *
 * @param tidemark the system under test
 * @param subjects what has been written to so far
 * @param crashes of the source
 * @param watermarks that were told
 * @param figures what is counted
 * @param journal the history and the violations
 * @param followers takes tokens to follow
 * @param leader asks which instance of capture reads the slot; empty when nobody says
 */
public record Context(
    Tidemark tidemark,
    Subjects subjects,
    Crashes crashes,
    Watermarks watermarks,
    Figures figures,
    Journal journal,
    Followers followers,
    Supplier<String> leader) {

  /** All tenants. */
  public static final List<String> TENANTS =
      IntStream.range(0, 40).mapToObj("tenant-%02d"::formatted).toList();

  /** Notes a violation that an answer shows, if it shows one. */
  void violation(Optional<String> text, Subject subject) {
    text.ifPresent(found -> journal.violation(found, subject.history()));
  }
}
