package dev.tidemark.topics.schema;

import dev.tidemark.topics.route.TableName;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A table as PostgreSQL's catalog holds it.
 *
 * @param name the exact name
 * @param oid its object identifier, which a rename keeps
 * @param kind {@code pg_class.relkind}: {@code r} a table, {@code p} a partitioned table
 * @param permanent whether it is neither temporary nor unlogged
 * @param columns all columns, in the table's order
 * @param uniqueIndexes its unique indexes, the primary key's first
 * @param identity what is logged of old rows; of a partitioned table, its leaves decide
 * @param rowSecurity whether row-level security is enabled
 * @param rowSecurityForced whether it binds the owner too
 * @param policies its policies, by name
 * @param grants the rights that Tidemark's roles have on it
 * @param comment its comment
 * @param leaves the leaf partitions of a partitioned table; of another, the tables that inherit
 *     from it
 */
public record TableInfo(
    TableName name,
    long oid,
    char kind,
    boolean permanent,
    List<ColumnInfo> columns,
    List<IndexInfo> uniqueIndexes,
    ReplicaIdentity identity,
    boolean rowSecurity,
    boolean rowSecurityForced,
    List<Policy> policies,
    Set<Grant> grants,
    Optional<String> comment,
    List<TableInfo> leaves) {

  private static final char PARTITIONED = 'p';
  private static final char ORDINARY = 'r';

  public TableInfo {
    columns = List.copyOf(columns);
    uniqueIndexes = List.copyOf(uniqueIndexes);
    policies = List.copyOf(policies);
    grants = Set.copyOf(grants);
    leaves = List.copyOf(leaves);
  }

  /** The column of that exact name. */
  public Optional<ColumnInfo> column(String column) {
    return columns.stream().filter(candidate -> candidate.name().equals(column)).findFirst();
  }

  /** The primary key's columns, in its order; empty without one. */
  public List<String> primaryKey() {
    return uniqueIndexes.stream()
        .filter(IndexInfo::primary)
        .findFirst()
        .map(IndexInfo::columns)
        .orElse(List.of());
  }

  /** Whether a publication can hold it: a table or partitioned table that writes to the log. */
  public boolean publishable() {
    return permanent && (kind == ORDINARY || kind == PARTITIONED);
  }

  /** Whether it is an ordinary table with others that inherit from it. */
  public boolean inherited() {
    return kind != PARTITIONED && !leaves.isEmpty();
  }

  /**
   * The tables, this one or its leaf partitions, whose deletes would not tell the given columns.
   */
  public List<TableName> notIdentifying(Set<String> needed) {
    List<TableInfo> logged = kind == PARTITIONED ? leaves : List.of(this);
    return logged.stream()
        .filter(table -> !table.identified().containsAll(needed))
        .map(TableInfo::name)
        .toList();
  }

  private Set<String> identified() {
    return switch (identity) {
      case FULL -> {
        Set<String> all = new HashSet<>();
        columns.stream().filter(column -> !column.generated()).forEach(c -> all.add(c.name()));
        yield all;
      }
      case NOTHING -> Set.of();
      case DEFAULT -> indexed(index -> index.primary() && index.immediate());
      case INDEX -> indexed(IndexInfo::replicaIdentity);
    };
  }

  private Set<String> indexed(java.util.function.Predicate<IndexInfo> chosen) {
    return uniqueIndexes.stream()
        .filter(chosen)
        .findFirst()
        .map(index -> Set.copyOf(index.columns()))
        .orElse(Set.of());
  }
}
