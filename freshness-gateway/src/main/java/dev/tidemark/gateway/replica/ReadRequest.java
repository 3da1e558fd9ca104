package dev.tidemark.gateway.replica;

import dev.tidemark.gateway.problem.Problem;
import dev.tidemark.gateway.problem.ProblemKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Which rows are asked for.
 *
 * @param filters all must hold
 * @param limit rows at most, 1 to {@link #MAX_LIMIT}
 * @param after the end of the page before
 */
public record ReadRequest(List<Filter> filters, int limit, Optional<Cursor> after) {

  /** Rows at most when the request does not say. */
  public static final int DEFAULT_LIMIT = 100;

  /** Rows at most. */
  public static final int MAX_LIMIT = 1000;

  private static final String LIMIT = "limit";
  private static final String CURSOR = "cursor";

  public ReadRequest {
    filters = List.copyOf(filters);
  }

  /**
   * {@code column = value}.
   *
   * @param column the column
   * @param value as text, to be read as the column's type by PostgreSQL
   */
  public record Filter(ReplicaColumn column, String value) {}

  /**
   * Reads the query parameters.
   *
   * @throws dev.tidemark.gateway.problem.ProblemException 400 when one is not understood
   */
  public static ReadRequest parse(ReplicaTable table, Map<String, String[]> parameters) {
    List<Filter> filters = new ArrayList<>();
    int limit = DEFAULT_LIMIT;
    Optional<Cursor> after = Optional.empty();
    for (Map.Entry<String, String[]> parameter : parameters.entrySet()) {
      String name = parameter.getKey();
      String value = single(name, parameter.getValue());
      switch (name) {
        case LIMIT -> limit = limit(value);
        case CURSOR -> after = Optional.of(Cursor.parse(value, table.target(), table.key().size()));
        default -> filters.add(filter(table, name, value));
      }
    }
    return new ReadRequest(filters, limit, after);
  }

  /**
   * The row with this key.
   *
   * @throws dev.tidemark.gateway.problem.ProblemException 400 when the key has several columns
   */
  public static ReadRequest ofKey(ReplicaTable table, String value) {
    if (table.key().size() != 1) {
      List<String> names = table.key().stream().map(ReplicaColumn::name).toList();
      throw Problem.of(
              ProblemKind.COMPOSITE_KEY,
              "Rows of this table are told apart by several columns; name each of them as a query"
                  + " parameter.")
          .with("keyColumns", names)
          .exception();
    }
    return new ReadRequest(
        List.of(new Filter(table.key().getFirst(), plain(value))), 1, Optional.empty());
  }

  /** Whether every column of the key is filtered by, so that it can be about one row at most. */
  public boolean isOfOneRow(ReplicaTable table) {
    return table.key().stream()
        .allMatch(key -> filters.stream().anyMatch(filter -> filter.column().equals(key)));
  }

  /**
   * Whether nothing but the key is asked for, and it is one column of a plain type. Such reads of
   * many rows can be one statement.
   */
  boolean isOfKey(ReplicaTable table) {
    return table.key().size() == 1
        && !table.key().getFirst().array()
        && filters.size() == 1
        && filters.getFirst().column().equals(table.key().getFirst())
        && after.isEmpty();
  }

  /** The value that a column is filtered by; it must be. */
  String value(ReplicaColumn column) {
    return filters.stream()
        .filter(filter -> filter.column().equals(column))
        .findFirst()
        .orElseThrow()
        .value();
  }

  private static Filter filter(ReplicaTable table, String name, String value) {
    ReplicaColumn column =
        table
            .column(name)
            .orElseThrow(
                () ->
                    Problem.of(
                            ProblemKind.UNKNOWN_COLUMN,
                            "A query parameter names a column to filter by, or is limit or cursor;"
                                + " one here is none of these.")
                        .with("columns", table.columns().stream().map(ReplicaColumn::name).toList())
                        .exception());
    if (column.kind() == ReplicaColumn.Kind.JSON && column.type().equals("json")) {
      throw badParameter("Values of type json can't be compared; filter by another column.");
    }
    return new Filter(column, plain(value));
  }

  private static String single(String name, String[] values) {
    if (values.length != 1) {
      throw badParameter(
          name.equals(LIMIT) || name.equals(CURSOR)
              ? "limit and cursor can be given once."
              : "Each column can be filtered by once.");
    }
    return values[0];
  }

  private static String plain(String value) {
    if (value.indexOf('\0') >= 0) {
      throw Problem.of(ProblemKind.BAD_VALUE, "No value of PostgreSQL holds a NUL character.")
          .exception();
    }
    return value;
  }

  private static int limit(String value) {
    if (value.matches("[0-9]{1,9}")) {
      int limit = Integer.parseInt(value);
      if (limit >= 1 && limit <= MAX_LIMIT) {
        return limit;
      }
    }
    throw badParameter("limit must be a whole number from 1 to " + MAX_LIMIT + ".");
  }

  private static RuntimeException badParameter(String detail) {
    return Problem.of(ProblemKind.BAD_PARAMETER, detail).exception();
  }
}
