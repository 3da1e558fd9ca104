package dev.tidemark.gateway.doc;

import dev.tidemark.gateway.problem.Problem;
import dev.tidemark.gateway.problem.ProblemKind;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * {@code If-Match} and {@code If-None-Match} of a write (RFC 9110, section 13.1). Tags are compared
 * strongly: a weak one matches nothing.
 *
 * @param match empty when there is no {@code If-Match}
 * @param noneMatch empty when there is no {@code If-None-Match}
 */
public record Precondition(Optional<Tags> match, Optional<Tags> noneMatch) {

  private static final Pattern TAG =
      Pattern.compile("\\s*((?:W/)?\"[\\x21\\x23-\\x7e\\x80-\\xff]*\")\\s*(?:,|$)");

  /**
   * One header.
   *
   * @param any whether it is {@code *}
   * @param tags the tags, quotes included
   */
  public record Tags(boolean any, Set<String> tags) {
    public Tags {
      tags = Set.copyOf(tags);
    }

    boolean hold(StoredDocument document) {
      return any || tags.contains(document.etag());
    }
  }

  /**
   * Reads both headers.
   *
   * @throws dev.tidemark.gateway.problem.ProblemException 400 when one is malformed
   */
  public static Precondition parse(List<String> ifMatch, List<String> ifNoneMatch) {
    return new Precondition(tags("If-Match", ifMatch), tags("If-None-Match", ifNoneMatch));
  }

  /** Whether the write depends on the document's present version. */
  public boolean conditional() {
    return match.isPresent() || noneMatch.isPresent();
  }

  /** Refuses with 412 unless the headers hold for the document as it is now, if there is one. */
  public void require(Optional<StoredDocument> current) {
    boolean matches =
        match.map(tags -> current.map(tags::hold).orElse(false)).orElse(true)
            && noneMatch.map(tags -> !current.map(tags::hold).orElse(false)).orElse(true);
    if (!matches) {
      throw failed();
    }
  }

  /** The answer when the headers do not hold. */
  public static RuntimeException failed() {
    return Problem.of(
            ProblemKind.PRECONDITION_FAILED,
            "Somebody has changed, created or deleted the document. Read it again and repeat the"
                + " change on what you find.")
        .exception();
  }

  private static Optional<Tags> tags(String header, List<String> values) {
    if (values.isEmpty()) {
      return Optional.empty();
    }
    if (values.size() == 1 && values.getFirst().strip().equals("*")) {
      return Optional.of(new Tags(true, Set.of()));
    }
    Set<String> tags = new LinkedHashSet<>();
    for (String value : values) {
      Matcher tag = TAG.matcher(value);
      int from = 0;
      while (from < value.length()) {
        if (!tag.find(from) || tag.start() != from) {
          throw Problem.of(
                  ProblemKind.BAD_REQUEST,
                  header + " must be * or entity tags in quotes, as the ETag header gave them.")
              .exception();
        }
        tags.add(tag.group(1));
        from = tag.end();
      }
    }
    return Optional.of(new Tags(false, tags));
  }
}
