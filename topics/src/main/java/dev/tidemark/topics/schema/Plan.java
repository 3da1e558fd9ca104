package dev.tidemark.topics.schema;

import java.util.List;
import java.util.stream.Collectors;

/**
 * Statements to be executed in this order and in one transaction. An empty plan means that the
 * database is as the routes want it.
 *
 * @param database which database it is for: {@code source} or {@code replica}
 * @param statements the statements
 */
public record Plan(String database, List<Statement> statements) {

  public Plan {
    statements = List.copyOf(statements);
  }

  /** The plan as a script for psql. */
  public String print() {
    if (statements.isEmpty()) {
      return "-- " + database + ": nothing to do\n";
    }
    return statements.stream()
        .map(Statement::print)
        .collect(Collectors.joining("\n", "-- " + database + "\nbegin;\n\n", "\ncommit;\n"));
  }
}
