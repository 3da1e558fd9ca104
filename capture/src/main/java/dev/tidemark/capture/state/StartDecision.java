package dev.tidemark.capture.state;

import dev.tidemark.topics.Lsn;
import dev.tidemark.topics.ServerIdentity;
import java.util.Optional;

/** How a run of capture begins. */
public sealed interface StartDecision {

  /** Goes on after {@code position}. */
  record Resume(PipelineState state, Lsn position) implements StartDecision {}

  /** Reads everything again, as a new generation. */
  record NewGeneration(String reason) implements StartDecision {}

  /**
   * Decides from what was remembered and what the source says now. Whenever a change could have
   * been missed, the answer is a new generation.
   *
   * @param remembered empty when the pipeline never ran, or its offsets topic is gone
   * @param log the id of the log topic as it is now
   * @param routes the fingerprint of the routes as they are now
   * @param tables what the source's catalog says now of the captured tables
   * @param slot empty when there is no slot of that name
   * @param end the source's {@code pg_current_wal_flush_lsn()}
   */
  static StartDecision of(
      Optional<PipelineState> remembered,
      String log,
      String routes,
      ServerIdentity server,
      SourceTables tables,
      Optional<SlotState> slot,
      Lsn end) {
    if (remembered.isEmpty()) {
      return new NewGeneration("the pipeline has no history yet");
    }
    PipelineState state = remembered.get();
    if (state.position().isEmpty()) {
      return new NewGeneration(
          "the snapshot of generation " + state.generation().number() + " was interrupted");
    }
    Lsn position = state.position().get();
    if (!state.log().equals(log)) {
      return new NewGeneration("the log topic is another than before");
    }
    if (!state.routes().equals(routes)) {
      return new NewGeneration("the routes have changed");
    }
    if (!state.server().equals(server)) {
      return new NewGeneration("the source is another server, timeline or database than before");
    }
    Optional<SourceTables.Difference> difference = state.tables().difference(tables);
    if (difference.isPresent()) {
      return new NewGeneration(difference.get().what());
    }
    if (slot.isEmpty()) {
      return new NewGeneration("the replication slot is gone");
    }
    if (slot.get().lost() || !slot.get().usable()) {
      return new NewGeneration(
          "the replication slot has lost WAL or is no pgoutput slot of this database");
    }
    if (slot.get().confirmed().isAfter(position)) {
      return new NewGeneration(
          "the replication slot begins at "
              + slot.get().confirmed()
              + ", after the log's end at "
              + position);
    }
    if (position.isAfter(end)) {
      return new NewGeneration(
          "the source ends at " + end + ", before the log's end at " + position);
    }
    return new Resume(state, position);
  }
}
