package dev.tidemark.topics.schema;

/**
 * One statement of a plan.
 *
 * @param sql the statement, without a semicolon at its end
 * @param reason why it is there; line breaks, which names may hold, become spaces
 */
public record Statement(String sql, String reason) {

  public Statement {
    reason = reason.replaceAll("\\R", " ");
  }

  /** The statement as a person would keep it in a file: the reason as a comment, then the SQL. */
  public String print() {
    return "-- " + reason + "\n" + sql + ";\n";
  }
}
