package dev.tidemark.projector.replica;

import org.jspecify.annotations.Nullable;

/**
 * Why a partition stands still.
 *
 * @param reason the position, the route and what is wrong; holds nothing of a row
 * @param key the row's key, for operators only; null when no single row is to blame
 */
public record Stop(String reason, @Nullable String key) {

  /** For operators. */
  public String describe() {
    return key == null ? reason : reason + " (row " + key + ")";
  }
}
