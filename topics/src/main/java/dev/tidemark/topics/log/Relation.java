package dev.tidemark.topics.log;

import dev.tidemark.topics.route.TableName;
import java.util.List;

/**
 * A source table as it was when a change was made.
 *
 * @param table its name
 * @param columns the columns that the source sends, in order
 * @param types PostgreSQL's name of each column's type, without modifiers: {@code int8}, {@code
 *     numeric}, {@code _text}
 * @param key positions in {@code columns} of the primary key's columns; empty without a primary key
 */
public record Relation(
    TableName table, List<String> columns, List<String> types, List<Integer> key) {

  public Relation {
    columns = List.copyOf(columns);
    types = List.copyOf(types);
    key = List.copyOf(key);
    if (columns.size() != types.size()) {
      throw new IllegalArgumentException(
          table + " has " + columns.size() + " columns but " + types.size() + " types");
    }
  }

  /** The position of a column, or -1 when the source does not send one of that name. */
  public int index(String column) {
    return columns.indexOf(column);
  }
}
