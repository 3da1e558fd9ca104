package dev.tidemark.standalone.command;

import java.util.concurrent.CountDownLatch;

/**
 * Keeps a command in the foreground until SIGINT or SIGTERM, and the JVM alive until the command
 * has cleaned up. A signal that comes earlier is remembered: what starts is started to its end and
 * then stopped.
 *
 * <p>Use it as the outermost resource of a try block, so that it is closed last.
 */
final class Foreground implements AutoCloseable {

  private final CountDownLatch signalled = new CountDownLatch(1);
  private final CountDownLatch cleanedUp = new CountDownLatch(1);

  private Foreground() {}

  static Foreground untilSignal() {
    Foreground foreground = new Foreground();
    Runtime.getRuntime().addShutdownHook(new Thread(foreground::onShutdown, "tidemark-shutdown"));
    return foreground;
  }

  /** Returns when a signal has come. */
  void await() throws InterruptedException {
    signalled.await();
  }

  @Override
  public void close() {
    cleanedUp.countDown();
  }

  private void onShutdown() {
    signalled.countDown();
    try {
      cleanedUp.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
