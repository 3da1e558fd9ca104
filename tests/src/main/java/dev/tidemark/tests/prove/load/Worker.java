package dev.tidemark.tests.prove.load;

import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** A thread of the load, which repeats a step until it is told to stop. */
public abstract class Worker implements AutoCloseable {

  private final Context context;
  private final Thread thread;
  private volatile boolean stopping;

  Worker(String name, Context context) {
    this.context = context;
    this.thread = Thread.ofPlatform().name("prove-" + name).daemon().unstarted(this::work);
  }

  /** Starts it. */
  public void start() {
    thread.start();
  }

  /** Tells it to stop after its step. */
  public void stop() {
    stopping = true;
  }

  /** Waits until it has stopped. */
  public void join() throws InterruptedException {
    thread.join();
  }

  private void work() {
    try {
      while (!stopping) {
        step();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Exception e) {
      context.journal().line("a thread of the load failed: " + e);
      java.io.StringWriter trace = new java.io.StringWriter();
      e.printStackTrace(new java.io.PrintWriter(trace));
      context
          .journal()
          .violation("the checker itself failed", List.of(trace.toString().split("\n")));
    } finally {
      close();
    }
  }

  /** What is repeated. */
  abstract void step() throws Exception;

  final Context context() {
    return context;
  }

  final boolean stopping() {
    return stopping;
  }

  /** Gives up the processor for a while, between two requests. */
  static void rest(long milliseconds) {
    LockSupport.parkNanos(milliseconds * 1_000_000);
  }

  @Override
  public void close() {}
}
