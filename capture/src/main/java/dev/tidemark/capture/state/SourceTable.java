package dev.tidemark.capture.state;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the rows of one captured table depend on, beside the rows themselves. PostgreSQL can change
 * all of it without a word in the replication stream.
 *
 * @param oid the table; another table of the same name has another. 0 when there is none
 * @param published the publication's entry for it, without row filter and column list; an entry
 *     that was taken out and put back is another. 0 when there is none
 * @param identity its replica identity: PostgreSQL's letter, and the index where it is one
 * @param file where its rows are on disk; a rewrite and a truncation move them. 0 for a partitioned
 *     table
 * @param columns the columns that routes read
 * @param parts the leaf partitions, or the tables that inherit from it
 */
public record SourceTable(
    long oid, long published, String identity, long file, List<Column> columns, List<Part> parts) {

  /**
   * A column.
   *
   * @param definition its number, type and collation
   * @param version the transaction that last changed its definition
   */
  public record Column(String name, String definition, String version) {}

  /**
   * A table whose rows are also this one's.
   *
   * @param identity its replica identity, by PostgreSQL's letter
   * @param file where its rows are on disk: PostgreSQL does not publish the truncation of a
   *     partition
   * @param born whether it was made as one, and so came without rows
   */
  public record Part(long oid, String identity, long file, boolean born) {}

  public SourceTable {
    columns = List.copyOf(columns);
    parts = List.copyOf(parts);
  }

  /**
   * What has happened to the table since this was read, if rows may be wrong or missing because of
   * it. Words without a subject, which is the table.
   */
  Optional<String> difference(SourceTable now) {
    if (now.oid != oid) {
      return Optional.of(
          now.oid == 0
              ? "is gone"
              : "is another table than the one that was read (OID %d before, now %d)"
                  .formatted(oid, now.oid));
    }
    if (now.published != published) {
      return Optional.of(
          now.published == 0
              ? "is not in the publication any more, or with a row filter or column list"
              : "was taken out of the publication and put back, or its filter was");
    }
    if (!now.identity.equals(identity)) {
      return Optional.of("has another replica identity than when it was read");
    }
    return columnDifference(now).or(() -> partDifference(now));
  }

  private Optional<String> columnDifference(SourceTable now) {
    Map<String, Column> present = new HashMap<>();
    now.columns.forEach(column -> present.put(column.name(), column));
    for (Column column : columns) {
      Column found = present.get(column.name());
      if (found == null) {
        return Optional.of("has no column `%s` any more".formatted(column.name()));
      }
      if (!found.definition().equals(column.definition())) {
        return Optional.of("has another column `%s` than before".formatted(column.name()));
      }
      // alter column type ... using rewrites the values, also without another type.
      if (!found.version().equals(column.version()) && now.file != file) {
        return Optional.of("was rewritten with other values of `%s`".formatted(column.name()));
      }
    }
    return Optional.empty();
  }

  private Optional<String> partDifference(SourceTable now) {
    Map<Long, Part> before = new HashMap<>();
    parts.forEach(part -> before.put(part.oid(), part));
    for (Part part : now.parts) {
      Part known = before.remove(part.oid());
      if (known == null && !part.born()) {
        return Optional.of("has a new partition or child that brought its rows along");
      }
      if (known == null ? !identifies(part) : !known.identity().equals(part.identity())) {
        return Optional.of("has a partition or child of another replica identity than the others");
      }
      if (known != null && known.file() != part.file()) {
        return Optional.of("has a partition or child that was truncated or rewritten");
      }
    }
    return before.isEmpty()
        ? Optional.empty()
        : Optional.of("has lost a partition or child, with its rows");
  }

  /** A new partition does not inherit the replica identity of the others. */
  private boolean identifies(Part added) {
    return added.identity().equals("f")
        || added.identity().equals("d")
            && parts.stream().anyMatch(part -> part.identity().equals("d"));
  }
}
