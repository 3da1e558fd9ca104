package dev.tidemark.projector.replica;

import dev.tidemark.projector.row.RowException;
import java.sql.SQLException;
import java.util.Set;

/** Tells rows that cannot be written from servers that cannot write at the moment. */
final class DataFaults {

  /**
   * Classes of SQLSTATE that pass: connection, transaction state, rollback, resources, not ready,
   * operator, system.
   */
  private static final Set<String> PASSING =
      Set.of("08", "25", "40", "53", "55", "57", "58", "F0", "XX");

  private DataFaults() {}

  /**
   * Whether the row is at fault, so that writing it again does not help. Not so are lost
   * connections, conflicts with other transactions, full disks and servers that shut down. Classes
   * after PostgreSQL's "Error Codes" appendix.
   */
  static boolean isAboutData(Exception e) {
    if (e instanceof RowException) {
      return true;
    }
    String state = e instanceof SQLException sql ? sql.getSQLState() : null;
    return state != null && PASSING.stream().noneMatch(state::startsWith);
  }

  /** Without PostgreSQL's message and detail: they may hold a row's content. */
  static String reason(Exception e) {
    if (e instanceof SQLException sql && !(e instanceof RefusedException)) {
      return "PostgreSQL refused a row with SQLSTATE " + sql.getSQLState();
    }
    return String.valueOf(e.getMessage());
  }
}
