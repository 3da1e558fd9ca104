package dev.tidemark.standalone;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * What has been started, closed in the reverse order. Every part is closed even when another fails
 * to; the first failure is thrown and carries the others as suppressed.
 *
 * <p>Thread-safe: parts may be started by several threads.
 */
final class CloseStack implements AutoCloseable {

  private final Deque<AutoCloseable> parts = new ArrayDeque<>();

  /** Puts a started part on top. */
  synchronized <T extends AutoCloseable> T push(T part) {
    parts.push(part);
    return part;
  }

  @Override
  public synchronized void close() throws Exception {
    @Nullable Exception failure = null;
    while (!parts.isEmpty()) {
      try {
        parts.pop().close();
      } catch (Exception e) {
        if (failure == null) {
          failure = e;
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
