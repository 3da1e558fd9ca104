package dev.tidemark.capture.assemble;

import dev.tidemark.topics.log.Change;
import java.util.ArrayList;
import java.util.List;

/** The changes of one partition that have not been appended yet. */
final class PartitionBuffer {

  private List<Change> changes = new ArrayList<>();
  private int weight;
  private int parts;

  void add(Change change) {
    changes.add(change);
    weight += change.weight();
  }

  int weight() {
    return weight;
  }

  /** Whether the transaction has anything for this partition, appended already or not. */
  boolean touched() {
    return parts > 0 || !changes.isEmpty();
  }

  /** Whether a part of the open transaction has been appended. */
  boolean started() {
    return parts > 0;
  }

  boolean hasChanges() {
    return !changes.isEmpty();
  }

  /** The number of the part that {@link #take} is about to make. */
  int nextPart() {
    return parts++;
  }

  List<Change> take() {
    List<Change> taken = changes;
    changes = new ArrayList<>();
    weight = 0;
    return taken;
  }

  void reset() {
    take();
    parts = 0;
  }
}
