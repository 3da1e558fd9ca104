package dev.tidemark.client.http;

import dev.tidemark.client.Token;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;

/**
 * Remembers for each source the highest token of the writes so far, so that reads can demand to see
 * them. A source is named by its caller, for instance {@code orders}; services that write to one
 * source share its name. Keeps what it is told until it is told to forget: one jar for each user or
 * session makes reads wait for that user's writes only.
 *
 * <p>Thread-safe. {@link #save} turns it into a text, for a web session.
 */
public final class TokenJar {

  /** A requirement with an identity, so that only what was sent is taken back. */
  static final class Entry {
    private final Requirement requirement;

    Entry(Requirement requirement) {
      this.requirement = requirement;
    }

    Requirement requirement() {
      return requirement;
    }
  }

  private static final Entry NOTHING = new Entry(Requirement.NONE);

  private final Map<String, Entry> entries = new ConcurrentHashMap<>();

  /** An empty jar. */
  public TokenJar() {}

  /** Remembers a write's token. */
  public void note(String source, Token token) {
    change(source, held -> held.and(token));
  }

  /** Remembers that there may have been a write, whose token is not known. */
  public void noteUnknown(String source) {
    change(source, Requirement::andLatest);
  }

  /** What a read of the source must include; {@link Requirement#NONE} when nothing was noted. */
  public Requirement requirement(String source) {
    return entry(source).requirement();
  }

  /** Forgets what was noted of the source. */
  public void forget(String source) {
    entries.remove(source);
  }

  Entry entry(String source) {
    return entries.getOrDefault(source, NOTHING);
  }

  /** Forgets an entry, unless something was noted meanwhile. */
  void forget(String source, Entry sent) {
    entries.computeIfPresent(source, (key, held) -> held == sent ? null : held);
  }

  /** Takes the place of an entry, unless something was noted meanwhile. */
  void replace(String source, Entry sent, Requirement next) {
    entries.computeIfPresent(source, (key, held) -> held == sent ? new Entry(next) : held);
  }

  private void change(String source, UnaryOperator<Requirement> change) {
    if (source.isEmpty()) {
      throw new IllegalArgumentException("a source needs a name that is not empty");
    }
    entries.compute(
        source,
        (key, held) ->
            new Entry(change.apply(held == null ? Requirement.NONE : held.requirement())));
  }

  /**
   * The jar as a text of visible ASCII characters that a cookie's value may hold; empty for an
   * empty jar. It tells positions and the names of sources, no secret.
   */
  public String save() {
    Map<String, Requirement> sorted = new TreeMap<>();
    entries.forEach((source, entry) -> sorted.put(source, entry.requirement()));
    return JarText.of(sorted);
  }

  /**
   * The jar of a text.
   *
   * @throws IllegalArgumentException when the text was not made by {@link #save}
   */
  public static TokenJar restore(String text) {
    TokenJar jar = new TokenJar();
    JarText.parse(text)
        .forEach((source, requirement) -> jar.entries.put(source, new Entry(requirement)));
    return jar;
  }

  /** How many sources it knows of; no positions, which logs have no use for. */
  @Override
  public String toString() {
    return "TokenJar[" + entries.size() + " sources]";
  }
}
