package dev.tidemark.tests.prove.history;

import dev.tidemark.topics.Lsn;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A group of rows that one writer at a time changes, always as a whole and in one transaction: a
 * register of versions. Each write leaves a state; a reader sees exactly one of these states, and
 * never an older one than its watermark promises. Thread-safe.
 *
 * <p>A subject one of whose writes has an unknown outcome is retired: nothing is written to it any
 * more, since that write may still come to pass.
 */
public final class Subject {

  private static final int READS_KEPT = 30;
  private static final int WRITES_SHOWN = 15;

  private final String group;
  private final List<Write> writes = new ArrayList<>();
  private final Deque<String> reads = new ArrayDeque<>();
  private final Set<Place> places = new HashSet<>();
  private boolean retired;

  /** A subject without rows. */
  public Subject(String group) {
    this.group = group;
    Write nothing = new Write(0, Map.of(), false, 0);
    nothing.outcome(Write.Outcome.DONE);
    nothing.token(Lsn.ZERO);
    writes.add(nothing);
  }

  /** The value of the column {@code grp} in all of its rows. */
  public String group() {
    return group;
  }

  /** Notes a write before it is sent. */
  public synchronized Write begin(
      LongFunction<Map<Place, String>> states, boolean asynchronous, long crashes) {
    if (retired) {
      throw new IllegalStateException(group + " is retired");
    }
    long version = writes.size();
    Write write = new Write(version, states.apply(version), asynchronous, crashes);
    writes.add(write);
    places.addAll(write.state().keySet());
    return write;
  }

  /**
   * Notes that a write was answered as committed.
   *
   * @param token its position; null when that could not be had
   * @param crashes how many crashes of the source have been by now
   */
  public synchronized void committed(Write write, @Nullable Lsn token, long crashes) {
    write.token(token);
    if (write.asynchronous() && write.crashes() != crashes) {
      lost(write);
    } else if (write.outcome() == Write.Outcome.RUNNING) {
      write.outcome(Write.Outcome.DONE);
    }
  }

  /** Notes that a write was certainly not committed. */
  public synchronized void notDone(Write write) {
    write.outcome(Write.Outcome.NOT_DONE);
  }

  /** Notes that nobody knows whether a write was committed. */
  public synchronized void unknown(Write write) {
    lost(write);
  }

  private void lost(Write write) {
    write.outcome(Write.Outcome.UNKNOWN);
    retired = true;
  }

  /**
   * Notes that the source crashed: what was answered before it was durable may be gone.
   *
   * @param durable every commit at or before it is certainly not
   */
  public synchronized void sourceCrashed(Lsn durable) {
    for (Write write : writes) {
      if (write.asynchronous()
          && write.outcome() == Write.Outcome.DONE
          && !write.token().map(durable::reaches).orElse(false)) {
        lost(write);
      }
    }
  }

  /** Notes that its rows may go, or not, by what another subject does to their table. */
  public synchronized void mayVanish() {
    Write write = new Write(writes.size(), Map.of(), false, 0);
    write.outcome(Write.Outcome.UNKNOWN);
    writes.add(write);
  }

  /** Whether nothing may be written to it any more. */
  public synchronized boolean retired() {
    return retired;
  }

  /** Every place where it has ever had rows, or may have had. */
  public synchronized List<Place> places() {
    return List.copyOf(places);
  }

  /** The newest write that certainly is committed and has a token; empty when there is none. */
  public synchronized Optional<Write> newestWithToken() {
    for (int i = writes.size() - 1; i > 0; i--) {
      Write write = writes.get(i);
      if (write.outcome() == Write.Outcome.DONE && write.token().isPresent()) {
        return Optional.of(write);
      }
    }
    return Optional.empty();
  }

  /** The token of one of its writes. */
  public synchronized Lsn token(Write write) {
    return write.token().orElseThrow();
  }

  /**
   * Judges what a reader saw.
   *
   * @param view what it looked at
   * @param observed the content that it saw
   * @param reached the watermark that the answer named
   * @param what how it was asked, for the history
   * @return what is wrong with it; empty when nothing is
   */
  public synchronized Optional<String> judge(View view, String observed, Lsn reached, String what) {
    int oldest = oldestAllowed(reached);
    note(what + " at " + reached + " saw [" + observed + "]");
    for (int i = oldest; i < writes.size(); i++) {
      Write write = writes.get(i);
      if (write.outcome() != Write.Outcome.NOT_DONE && write.content(view).equals(observed)) {
        return Optional.empty();
      }
    }
    return Optional.of(
        kind(view, observed, oldest)
            + ": "
            + what
            + " of "
            + group
            + " as "
            + view
            + " at watermark "
            + reached
            + "\n  found    ["
            + observed
            + "]\n  expected ["
            + writes.get(oldest).content(view)
            + "] of v"
            + oldest
            + ", or the content of a later write");
  }

  /**
   * The newest write that is committed at or before the watermark: the answer holds it, or later.
   */
  private int oldestAllowed(Lsn reached) {
    for (int i = writes.size() - 1; i > 0; i--) {
      Write write = writes.get(i);
      if (write.outcome() == Write.Outcome.DONE
          && write.token().map(reached::reaches).orElse(false)) {
        return i;
      }
    }
    return 0;
  }

  private String kind(View view, String observed, int oldest) {
    for (int i = 0; i < writes.size(); i++) {
      if (writes.get(i).content(view).equals(observed)) {
        return i < oldest ? "stale read" : "read of a write that was rolled back";
      }
    }
    return "fractured read, or rows that nobody wrote";
  }

  private void note(String read) {
    reads.addLast("after v" + (writes.size() - 1) + ": " + read);
    if (reads.size() > READS_KEPT) {
      reads.removeFirst();
    }
  }

  /** Its last writes and reads, bounded, for whoever looks into a violation. */
  public synchronized List<String> history() {
    List<String> lines = new ArrayList<>();
    writes
        .subList(Math.max(0, writes.size() - WRITES_SHOWN), writes.size())
        .forEach(write -> lines.add(write.toString()));
    lines.addAll(reads);
    return lines;
  }
}
