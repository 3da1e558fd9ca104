package dev.tidemark.gateway.replica;

import dev.tidemark.topics.Generation;
import dev.tidemark.topics.Lsn;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The decision whether a read may be served, as a function of one snapshot.
 *
 * <pre>
 * history demanded, and another is known           -> OTHER_HISTORY
 * table not complete         position demanded     -> PENDING
 *                            none                  -> NOT_READY
 * watermark of another history than the position   -> PENDING
 * watermark below position                         -> PENDING
 * else                                             -> OPEN
 * </pre>
 */
final class Gate {

  private Gate() {}

  /** What to do with a read. */
  enum Decision {
    /** Serve the rows of the same snapshot. */
    OPEN,
    /** Not yet: wait, or answer 202. */
    PENDING,
    /** The table's first snapshot is not complete. */
    NOT_READY,
    /** The watermark counts in another history than the one demanded. */
    OTHER_HISTORY
  }

  /**
   * What a snapshot shows of the watermark that a read depends on.
   *
   * @param lsn the watermark
   * @param generation its generation
   * @param history its history; empty before the first
   * @param ready whether the table is complete for its route
   */
  record Sight(Lsn lsn, int generation, String history, boolean ready) {

    /** The generation; empty before the first. */
    Optional<Generation> counted() {
      return history.isEmpty()
          ? Optional.empty()
          : Optional.of(new Generation(generation, history));
    }

    /** No watermark at all. */
    static final Sight NOTHING = new Sight(Lsn.ZERO, 0, "", false);
  }

  /**
   * What a read demands.
   *
   * @param position from {@code X-Required-LSN}
   * @param history from {@code X-Required-Generation}
   * @param ofTheSource whether the position counts in the log that the source writes now, and not
   *     just in the history that is named
   */
  record Demand(Optional<Lsn> position, Optional<String> history, boolean ofTheSource) {}

  /**
   * Decides.
   *
   * @param written whether the source still writes the log that a generation counts in, as far as
   *     is known
   */
  static Decision decide(Sight sight, Demand demand, Predicate<Generation> written) {
    if (demand.history().isPresent()
        && !sight.history().isEmpty()
        && !demand.history().get().equals(sight.history())) {
      return Decision.OTHER_HISTORY;
    }
    if (!sight.ready()) {
      return demand.position().isPresent() ? Decision.PENDING : Decision.NOT_READY;
    }
    if (demand.position().isEmpty()) {
      return Decision.OPEN;
    }
    // After a failover that lost log, the old watermark may be beyond positions of the new history.
    boolean comparable = !demand.ofTheSource() || sight.counted().map(written::test).orElse(true);
    return comparable && sight.lsn().reaches(demand.position().get())
        ? Decision.OPEN
        : Decision.PENDING;
  }
}
