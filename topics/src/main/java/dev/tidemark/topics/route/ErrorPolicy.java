package dev.tidemark.topics.route;

/** What happens to a change that cannot be written to the replica table of a route. */
public enum ErrorPolicy {
  /** The partition stands still before it, so that nothing is passed over. */
  STOP,
  /**
   * It is set aside, and reads of its key say so until a later change of the key can be written.
   */
  QUARANTINE
}
