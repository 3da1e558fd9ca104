package dev.tidemark.tests.prove.history;

import java.util.List;

/**
 * What a reader looks at in one snapshot: the rows of one subject in some replica tables, as one
 * tenant.
 *
 * @param targets the replica tables, in the order in which {@link Content#joined} puts them
 * @param tenant the tenant that the tables are read as; {@code *} of tables that all share
 */
public record View(List<String> targets, String tenant) {

  public View {
    targets = List.copyOf(targets);
  }

  /** One table. */
  public View(String target, String tenant) {
    this(List.of(target), tenant);
  }
}
