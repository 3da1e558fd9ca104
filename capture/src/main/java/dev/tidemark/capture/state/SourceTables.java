package dev.tidemark.capture.state;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What the stream of a pipeline depends on in the source's catalog. Read before a snapshot, it says
 * later whether the stream still tells everything.
 *
 * @param publication the publication's OID and what it publishes; empty when there is none
 * @param tables every captured table, by its name
 */
public record SourceTables(String publication, Map<String, SourceTable> tables) {

  /** What is remembered of a source whose tables were never looked at: differs from all others. */
  public static final SourceTables NONE = new SourceTables("", Map.of());

  public SourceTables {
    tables = Map.copyOf(tables);
  }

  /**
   * What has happened since this was read, if rows may be wrong or missing because of it.
   *
   * @return the table, or an empty name for the publication, and what happened to it
   */
  public Optional<Difference> difference(SourceTables now) {
    if (!now.publication.equals(publication)) {
      return Optional.of(
          new Difference(
              "", "the publication is gone, was made again, or publishes other operations"));
    }
    for (Map.Entry<String, SourceTable> entry : new TreeMap<>(tables).entrySet()) {
      SourceTable found = now.tables.get(entry.getKey());
      Optional<String> difference =
          found == null ? Optional.of("is gone") : entry.getValue().difference(found);
      if (difference.isPresent()) {
        return Optional.of(new Difference(entry.getKey(), entry.getKey() + " " + difference.get()));
      }
    }
    return Optional.empty();
  }

  /**
   * What has changed.
   *
   * @param table the table; empty for the publication
   * @param what a sentence without its stop
   */
  public record Difference(String table, String what) {}
}
