package dev.tidemark.tests.prove.history;

import dev.tidemark.topics.Lsn;
import dev.tidemark.topics.Tenants;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** The highest watermark that anybody has been told of each partition. Thread-safe. */
public final class Watermarks {

  private final int partitions;
  private final AtomicReferenceArray<Lsn> seen;

  /** None has been seen of this many partitions. */
  public Watermarks(int partitions) {
    this.partitions = partitions;
    Lsn[] nothing = new Lsn[partitions];
    Arrays.fill(nothing, Lsn.ZERO);
    this.seen = new AtomicReferenceArray<>(nothing);
  }

  /** The partition of a tenant. */
  public int partition(String tenant) {
    return Tenants.partition(tenant, partitions);
  }

  /**
   * What has been seen of the partition by now: an answer to what is asked from now on reaches it.
   */
  public Lsn floor(int partition) {
    return seen.get(partition);
  }

  /**
   * Notes what an answer said.
   *
   * @param floor what {@link #floor} said before the question
   * @return what is wrong with it; empty when nothing is
   */
  public Optional<String> told(int partition, Lsn floor, Lsn told) {
    seen.accumulateAndGet(partition, told, Lsn::max);
    return told.reaches(floor)
        ? Optional.empty()
        : Optional.of(
            "the watermark of partition "
                + partition
                + " went back\n  found    "
                + told
                + "\n  expected "
                + floor
                + " or later, which somebody had been told before");
  }
}
