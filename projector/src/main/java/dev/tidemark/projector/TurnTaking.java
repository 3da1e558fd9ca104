package dev.tidemark.projector;

import java.time.Duration;

/**
 * Decides when the table topics wait for the replica, which readers wait for: while it catches up,
 * though never longer than {@link #LONGEST} at a time, and then not for as long again. Pure; not
 * thread-safe.
 */
final class TurnTaking {

  /** How long the table topics wait at most, and what they get after that. */
  static final Duration LONGEST = Duration.ofMinutes(1);

  private boolean waiting;
  private long sinceNanos;
  private boolean rested = true;

  /** Whether they are to wait now. */
  boolean waits(boolean catchingUp, long nowNanos) {
    boolean over = nowNanos - sinceNanos >= LONGEST.toNanos();
    if (waiting && (!catchingUp || over)) {
      rested = !catchingUp;
      turn(false, nowNanos);
    } else if (!waiting && catchingUp && (rested || over)) {
      turn(true, nowNanos);
    } else if (!catchingUp) {
      rested = true;
    }
    return waiting;
  }

  private void turn(boolean wait, long nowNanos) {
    waiting = wait;
    sinceNanos = nowNanos;
  }
}
