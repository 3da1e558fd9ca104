package dev.tidemark.gateway.replica;

import dev.tidemark.topics.Lsn;
import java.util.Optional;

/**
 * The decision whether a read may be served, as a function of one snapshot.
 *
 * <pre>
 * history demanded, and another is known           -> OTHER_HISTORY
 * table not complete         position demanded     -> PENDING
 *                            none                  -> NOT_READY
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
    /** No watermark at all. */
    static final Sight NOTHING = new Sight(Lsn.ZERO, 0, "", false);
  }

  /**
   * What a read demands.
   *
   * @param position from {@code X-Required-LSN}
   * @param history from {@code X-Required-Generation}
   */
  record Demand(Optional<Lsn> position, Optional<String> history) {}

  static Decision decide(Sight sight, Demand demand) {
    if (demand.history().isPresent()
        && !sight.history().isEmpty()
        && !demand.history().get().equals(sight.history())) {
      return Decision.OTHER_HISTORY;
    }
    if (!sight.ready()) {
      return demand.position().isPresent() ? Decision.PENDING : Decision.NOT_READY;
    }
    return demand.position().map(sight.lsn()::reaches).orElse(true)
        ? Decision.OPEN
        : Decision.PENDING;
  }
}
