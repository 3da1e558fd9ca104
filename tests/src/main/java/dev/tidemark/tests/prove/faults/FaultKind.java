package dev.tidemark.tests.prove.faults;

/** What can go wrong. */
public enum FaultKind {
  /** kill -9, and a new process after a moment. */
  KILL_CAPTURE("kill -9 of a capture", true),
  /** kill -9, and a new process after a moment. */
  KILL_PROJECTOR("kill -9 of a projector", true),
  /** SIGSTOP for longer than the group's session, then SIGCONT: a zombie. */
  PAUSE_CAPTURE("pause of a capture", true),
  /** SIGSTOP for longer than the group's session, then SIGCONT: a zombie. */
  PAUSE_PROJECTOR("pause of a projector", true),
  /** SIGTERM, and a new process after a while: the partitions move twice. */
  REBALANCE("rebalance of the projectors", true),
  /** The broker stops and starts. */
  RESTART_BROKER("restart of the broker", true),
  /** The source stops in order and starts. */
  RESTART_SOURCE("restart of the source", true),
  /** kill -9 of the source's server, which loses what was not flushed. */
  CRASH_SOURCE("crash of the source", true),
  /** The replica stops in order and starts. */
  RESTART_REPLICA("restart of the replica", true),
  /** kill -9 of the replica's server. */
  CRASH_REPLICA("crash of the replica", true),

  /** The connection that streams the source's log is ended. */
  DROP_WALSENDER("dropped replication connection", false),
  /** The projectors' connections are ended. */
  DROP_PROJECTOR("dropped projector connections", false),
  /** The gateway's connections to the replica are ended, the listening one too. */
  DROP_GATEWAY_REPLICA("dropped gateway connections to the replica", false),
  /** The gateway's connections to the source are ended. */
  DROP_GATEWAY_SOURCE("dropped gateway connections to the source", false),
  /** Somebody holds the row of a watermark. */
  LOCK_WATERMARK("lock on a watermark", false),
  /** Somebody holds a replica table, so that nothing can be written to it, or even read. */
  LOCK_TABLE("lock on a replica table", false),
  /** Every commit of a database takes long. */
  SLOW_COMMITS("slow commits", false),
  /** The gateway's commits begin to wait for the disk, or cease to. */
  SWITCH_ASYNCHRONOUS("switch of synchronous_commit", false),
  /** A transaction that stays open over many others. */
  LONG_TRANSACTION("long transaction", false),
  /** 10,000 rows of ten tenants in one transaction. */
  BIG_TRANSACTION("big transaction", false),
  /** A routed table gets a column with a default. */
  ADD_COLUMN("column added", false),
  /** A routed table loses a column that no route maps. */
  DROP_COLUMN("column dropped", false),
  /** A table without a route is made anew, filled and changed. */
  CHANGE_UNROUTED("unrouted table changed", false);

  private final String text;
  private final boolean expensive;

  FaultKind(String text, boolean expensive) {
    this.text = text;
    this.expensive = expensive;
  }

  /** For people. */
  public String text() {
    return text;
  }

  /** Whether it takes seconds of processor time, or stops everything for seconds. */
  boolean expensive() {
    return expensive;
  }
}
