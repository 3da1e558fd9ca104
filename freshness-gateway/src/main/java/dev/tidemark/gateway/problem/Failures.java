package dev.tidemark.gateway.problem;

import java.sql.SQLException;
import java.util.Arrays;
import java.util.UUID;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Faults that nobody foresaw: logged under an id that the answer carries. Messages of database
 * errors may quote rows, so of those only the code and the place are logged.
 */
public final class Failures {

  private static final Logger LOG = LoggerFactory.getLogger(Failures.class);

  private Failures() {}

  /** Logs the fault and makes the answer. */
  public static Problem internal(Throwable failure) {
    String incident = UUID.randomUUID().toString();
    SQLException sql = sqlCause(failure);
    if (sql != null) {
      LOG.atError()
          .addKeyValue("incident", incident)
          .addKeyValue("sqlState", sql.getSQLState())
          .addKeyValue("at", frames(failure))
          .log("a request failed on a database error");
    } else {
      LOG.atError().addKeyValue("incident", incident).setCause(failure).log("a request failed");
    }
    return Problem.of(
            ProblemKind.INTERNAL,
            "An unforeseen fault. The gateway's log holds more under the incident's id.")
        .with("instance", "urn:uuid:" + incident);
  }

  private static @org.jspecify.annotations.Nullable SQLException sqlCause(Throwable failure) {
    for (Throwable t = failure; t != null; t = t.getCause()) {
      if (t instanceof SQLException sql) {
        return sql;
      }
    }
    return null;
  }

  private static String frames(Throwable failure) {
    return Arrays.stream(failure.getStackTrace())
        .filter(frame -> frame.getClassName().startsWith("dev.tidemark"))
        .limit(5)
        .map(frame -> frame.getFileName() + ":" + frame.getLineNumber())
        .collect(Collectors.joining(" < "));
  }
}
