package dev.tidemark.topics.schema;

import java.util.Arrays;

/** What PostgreSQL logs of the old row of an update or a delete. */
public enum ReplicaIdentity {
  /** The primary key, or nothing without one. */
  DEFAULT('d'),
  /** All columns. */
  FULL('f'),
  /** The columns of one index. */
  INDEX('i'),
  /** Nothing. */
  NOTHING('n');

  private final char code;

  ReplicaIdentity(char code) {
    this.code = code;
  }

  /**
   * Reads {@code pg_class.relreplident}.
   *
   * @throws IllegalArgumentException for a letter that PostgreSQL 18 does not know either
   */
  public static ReplicaIdentity of(char code) {
    return Arrays.stream(values())
        .filter(identity -> identity.code == code)
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no replica identity: " + code));
  }
}
