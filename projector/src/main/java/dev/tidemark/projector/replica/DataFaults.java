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

  /**
   * What is wrong, without PostgreSQL's or pgjdbc's message: they may hold a row's content.
   * Meanings after PostgreSQL's "Error Codes" appendix.
   */
  static String reason(Exception e) {
    if (!(e instanceof SQLException sql)) {
      return String.valueOf(e.getMessage());
    }
    String state = String.valueOf(sql.getSQLState());
    String meaning =
        switch (state) {
          case "22021" -> "a character that PostgreSQL cannot hold, such as NUL";
          case "22P02" -> "a text that is not of the column's type";
          case "22P05" -> "an escaped character that jsonb cannot hold";
          case "22003", "22008" -> "a value beyond the range of the column's type";
          case "22007" -> "a text that is no date or time";
          case "23502" -> "NULL in a column of the key";
          case "54000" -> "a value that is too large";
          default -> "a value that PostgreSQL refuses";
        };
    return meaning + " (SQLSTATE " + state + ")";
  }
}
