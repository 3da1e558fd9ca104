package dev.tidemark.tests.prove.history;

import dev.tidemark.topics.Lsn;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One write of a {@link Subject}, whose lock guards what changes here. */
public final class Write {

  /** What is known of a write. */
  enum Outcome {
    /** It has been sent, and not been answered. */
    RUNNING,
    /** It is committed, and stays so. */
    DONE,
    /** It was certainly not committed. */
    NOT_DONE,
    /**
     * It may be committed or not: its answer was lost, or it was answered without being durable.
     */
    UNKNOWN
  }

  private final long version;
  private final Map<Place, String> state;
  private final boolean asynchronous;
  private final long crashes;
  private Outcome outcome = Outcome.RUNNING;
  private @Nullable Lsn token;

  Write(long version, Map<Place, String> state, boolean asynchronous, long crashes) {
    this.version = version;
    this.state = Map.copyOf(state);
    this.asynchronous = asynchronous;
    this.crashes = crashes;
  }

  /** Its number among the writes of its subject, from 1. */
  public long version() {
    return version;
  }

  /** How many crashes of the source had been when it was sent. */
  public long crashes() {
    return crashes;
  }

  /** Whether it was answered before it was durable. */
  boolean asynchronous() {
    return asynchronous;
  }

  Outcome outcome() {
    return outcome;
  }

  void outcome(Outcome next) {
    outcome = next;
  }

  Optional<Lsn> token() {
    return Optional.ofNullable(token);
  }

  void token(@Nullable Lsn position) {
    token = position;
  }

  /** What a view shows right after this write. */
  String content(View view) {
    return Content.joined(
        view.targets().stream()
            .map(target -> state.getOrDefault(new Place(target, view.tenant()), Content.NOTHING))
            .toList());
  }

  Map<Place, String> state() {
    return state;
  }

  @Override
  public String toString() {
    return "write v"
        + version
        + (asynchronous ? " (asynchronous)" : "")
        + " "
        + outcome
        + " token "
        + (token == null ? "none" : token)
        + " crashes "
        + crashes
        + " leaves "
        + state;
  }
}
