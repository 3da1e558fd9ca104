package dev.tidemark.gateway.db;

import dev.tidemark.gateway.problem.Failures;
import dev.tidemark.gateway.problem.Problem;
import dev.tidemark.gateway.problem.ProblemException;
import dev.tidemark.gateway.problem.ProblemKind;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a database error means to the client (SQLSTATE, PostgreSQL's appendix A). */
public final class SqlFailures {

  private static final Logger LOG = LoggerFactory.getLogger(SqlFailures.class);

  private SqlFailures() {}

  /** An answer for an error that the caller has no better word for. */
  public static ProblemException answer(Database database, SQLException failure) {
    String state = state(failure);
    if (unavailable(failure, state)) {
      LOG.atWarn()
          .addKeyValue("database", database.name())
          .addKeyValue("sqlState", state)
          .log("a database is not available to a request");
      return Problem.of(
              ProblemKind.DATABASE_UNAVAILABLE,
              "The "
                  + database.name()
                  + " database can't be used now. Try again; of a write, read the document first:"
                  + " its outcome is not known.")
          .exception();
    }
    if (state.equals("57014") || state.equals("55P03")) {
      return Problem.of(
              ProblemKind.DATABASE_TIMEOUT,
              "The " + database.name() + " database did not finish in time. Try again.")
          .exception();
    }
    return Failures.internal(failure).exception();
  }

  /** The SQLSTATE, or an empty text. */
  public static String state(SQLException failure) {
    String state = failure.getSQLState();
    return state == null ? "" : state;
  }

  /** Whether a value could not be read as its type, or be held by it. */
  public static boolean badValue(SQLException failure) {
    return state(failure).startsWith("22");
  }

  /**
   * Whether the connection was lost, so that a read may be tried once more on another. Not when the
   * pool had none to give: it has tried for as long as a request may wait.
   */
  public static boolean connectionLost(SQLException failure) {
    return !(failure instanceof SQLTransientConnectionException)
        && (state(failure).startsWith("08") || state(failure).startsWith("57P"));
  }

  private static boolean unavailable(SQLException failure, String state) {
    // 25006: the database has become a standby; 55000: "recovery is in progress"
    return failure instanceof SQLTransientConnectionException
        || state.startsWith("08")
        || state.startsWith("53")
        || state.startsWith("57P")
        || state.equals("25006")
        || state.equals("55000");
  }
}
