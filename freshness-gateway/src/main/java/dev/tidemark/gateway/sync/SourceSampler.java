package dev.tidemark.gateway.sync;

import dev.tidemark.topics.Lsn;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the source where its log ends: once a second, so that a failover is noticed and the first
 * read that allows some staleness finds a position of the past; twenty times a second while such
 * reads come; and at once for those that nothing known will do for. However many ask, one question
 * is under way and one more is held back, which all share that need a later answer.
 *
 * <p>Thread-safe. The answers are remembered by {@link SourcePosition}.
 */
public final class SourceSampler implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(SourceSampler.class);

  private static final Duration SLOW = Duration.ofSeconds(1);
  private static final Duration QUICK = Duration.ofMillis(50);

  /** After the last read that allowed some staleness. */
  private static final long QUICK_FOR = Duration.ofSeconds(10).toNanos();

  private final SourcePosition position;
  private final Thread thread;
  private volatile long quickUntil = System.nanoTime();

  /** These three are guarded by this object. */
  private @Nullable CompletableFuture<Lsn> running;

  private @Nullable CompletableFuture<Lsn> next;
  private long runningSince;

  /** A sampler that has not started. */
  public SourceSampler(SourcePosition position) {
    this.position = position;
    this.thread = Thread.ofPlatform().name("source-sampler").daemon().unstarted(this::run);
  }

  /** Begins to ask. */
  public void start() {
    thread.start();
  }

  /** Takes note that reads come for which fresh samples are worth having. */
  public void demanded() {
    quickUntil = System.nanoTime() + QUICK_FOR;
  }

  /**
   * The source's position by a question that was sent at the time or later; ends with an {@link
   * SQLException} when the source does not answer it.
   *
   * @param nanos as {@link System#nanoTime}, now or earlier
   */
  public synchronized CompletableFuture<Lsn> ask(long nanos) {
    if (running == null) {
      CompletableFuture<Lsn> question = new CompletableFuture<>();
      begin(question);
      Thread.ofVirtual().name("source-question").start(() -> answer(question));
      return question;
    }
    if (runningSince - nanos >= 0) {
      return running;
    }
    if (next == null) {
      next = new CompletableFuture<>();
    }
    return next;
  }

  private void begin(CompletableFuture<Lsn> question) {
    running = question;
    runningSince = System.nanoTime();
  }

  private void answer(CompletableFuture<Lsn> first) {
    for (CompletableFuture<Lsn> question = first; question != null; question = following()) {
      try {
        question.complete(position.now());
      } catch (SQLException | RuntimeException e) {
        question.completeExceptionally(e);
      }
    }
  }

  private synchronized @Nullable CompletableFuture<Lsn> following() {
    CompletableFuture<Lsn> held = next;
    running = null;
    next = null;
    if (held != null) {
      begin(held);
    }
    return held;
  }

  private void run() {
    boolean silent = false;
    try {
      while (true) {
        try {
          ask(System.nanoTime()).get();
          silent = false;
        } catch (ExecutionException e) {
          if (!silent) {
            LOG.atDebug().log("the source does not say where its log ends; asking on");
          }
          silent = true;
        }
        boolean quick = !silent && System.nanoTime() - quickUntil < 0;
        Thread.sleep(quick ? QUICK : SLOW);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
