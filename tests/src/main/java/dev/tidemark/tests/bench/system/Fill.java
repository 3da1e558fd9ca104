package dev.tidemark.tests.bench.system;

import java.util.List;

/**
 * Documents that a load has committed on the source.
 *
 * @param prefix of their names, and of no others'
 * @param rows how many
 * @param last the last ones of each tenant in the order of the log: when they have come, all have
 */
public record Fill(String prefix, long rows, List<Key> last) {

  public Fill {
    last = List.copyOf(last);
  }

  /** Of a document of the one type that is used. */
  public record Key(String tenant, String name) {}
}
