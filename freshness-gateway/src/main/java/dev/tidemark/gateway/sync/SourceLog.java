package dev.tidemark.gateway.sync;

import dev.tidemark.topics.Generation;
import dev.tidemark.topics.Lsn;
import dev.tidemark.topics.ServerIdentity;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What several looks at the source's log say together: how far it reaches, which server writes it,
 * and how far it reached at a time. Times are {@link System#nanoTime}.
 *
 * <p>A log only grows. A look that began after another had ended and saw less, or another server,
 * therefore saw another history: the source has failed over, or was restored. Everything that was
 * known of the old one is forgotten then, and {@link #turns} grows. Looks that overlap in time are
 * in no order, so the lesser of two such looks says nothing.
 *
 * <p>Thread-safe; everything is guarded by this object.
 */
final class SourceLog {

  private final PositionHistory samples = new PositionHistory();
  private Lsn end = Lsn.ZERO;
  private long knownAt;
  private boolean known;
  private int turns;
  private @Nullable ServerIdentity server;
  private @Nullable Generation judged;
  private boolean judgement;

  /**
   * Takes a look.
   *
   * @param askedAt before the question was sent: everything committed until then lies before {@code
   *     lsn}
   * @param answeredAt when the answer had come
   * @param seen the server; null when it was not asked for
   */
  synchronized void saw(long askedAt, long answeredAt, Lsn lsn, @Nullable ServerIdentity seen) {
    boolean other = seen != null && server != null && !seen.equals(server);
    if (known && (other || end.isAfter(lsn))) {
      if (askedAt - knownAt < 0) {
        return;
      }
      turns++;
      samples.clear();
      end = Lsn.ZERO;
    }
    if (seen != null && !seen.equals(server)) {
      server = seen;
      judged = null;
    }
    end = lsn;
    knownAt = answeredAt;
    known = true;
    samples.add(askedAt, lsn);
  }

  /** Whether the log is known to reach the position. */
  synchronized boolean reaches(Lsn position) {
    return end.reaches(position);
  }

  /** How often the log was found to be another one than before. */
  synchronized int turns() {
    return turns;
  }

  /**
   * The lowest known position that lies behind everything that was committed before the time; empty
   * when nobody has looked since.
   */
  synchronized Optional<Lsn> notBefore(long nanos) {
    return samples.notBefore(nanos);
  }

  /**
   * Whether the generation is one of the server that was seen last; true as long as none was seen.
   */
  synchronized boolean writes(Generation generation) {
    ServerIdentity now = server;
    if (now == null) {
      return true;
    }
    if (!generation.equals(judged)) {
      judged = generation;
      judgement = now.generation(generation.number()).equals(generation);
    }
    return judgement;
  }
}
