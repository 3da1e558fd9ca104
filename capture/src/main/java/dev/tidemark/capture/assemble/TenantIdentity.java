package dev.tidemark.capture.assemble;

/** When an update carries the row's old tenant, which follows from the table's replica identity. */
public enum TenantIdentity {
  /** {@code REPLICA IDENTITY FULL}: with every update. */
  ALWAYS_SENT,
  /**
   * The tenant is part of the primary key or of the identity's index: when the update changes it.
   */
  SENT_WHEN_CHANGED
}
