package dev.tidemark.projector.replica;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** What PostgreSQL said to a statement for a replica table, in words that hold no row. */
final class RefusedException extends SQLException {

  private static final long serialVersionUID = 1L;

  private RefusedException(String target, @Nullable String state, SQLException cause) {
    super("replica table %s refused a row with SQLSTATE %s".formatted(target, state), state, cause);
  }

  /** The failure with the replica table that it belongs to, unless it names one already. */
  static SQLException of(String target, SQLException cause) {
    return cause instanceof RefusedException
        ? cause
        : new RefusedException(target, cause.getSQLState(), cause);
  }
}
