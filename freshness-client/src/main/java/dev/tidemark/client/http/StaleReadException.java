package dev.tidemark.client.http;

import dev.tidemark.client.Position;
import java.util.Optional;

/** A read ended without rows that are fresh enough. */
public final class StaleReadException extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final transient ReadOutcome<?> outcome;

  StaleReadException(ReadOutcome<?> outcome) {
    super(message(outcome));
    this.outcome = outcome;
  }

  /** How the read ended. */
  public ReadOutcome<?> outcome() {
    return outcome;
  }

  private static String message(ReadOutcome<?> outcome) {
    if (outcome instanceof ReadOutcome.Pending<?> pending) {
      return "the replica is at "
          + text(pending.replicated())
          + " and has not reached "
          + text(pending.required())
          + " in time: ask again, or read the source";
    }
    if (outcome instanceof ReadOutcome.Absent<?> absent) {
      return "there is no such row at " + text(absent.replicated());
    }
    if (outcome instanceof ReadOutcome.HistoryChanged<?> changed) {
      return "the source's history does not hold the write any more ("
          + changed.problem()
          + "): read the source, or write again";
    }
    if (outcome instanceof ReadOutcome.Refused<?> refused) {
      return "the gateway answered " + refused.status() + " " + refused.problem();
    }
    return "the read was fresh";
  }

  private static String text(Optional<Position> position) {
    return position.map(Position::toString).orElse("a position that it did not name");
  }
}
