package dev.tidemark.standalone;

/** Where the source and the replica database live. */
public enum Layout {
  /** A cluster each: as in production, the replica's writes do not move the source's log. */
  TWO_CLUSTERS("two-clusters"),
  /** Both databases in one cluster, with one write-ahead log. */
  ONE_CLUSTER("one-cluster");

  private final String text;

  Layout(String text) {
    this.text = text;
  }

  /** As the command line spells it. */
  @Override
  public String toString() {
    return text;
  }
}
