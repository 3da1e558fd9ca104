package dev.tidemark.capture.engine;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * A socket's stream whose {@link #available()} waits for a first byte: {@link #SHORT} while data
 * flows, {@link #LONG} when it does not. It reads that byte to do so, and hands it out with the
 * next read. At the stream's end it says 1, so that the reader goes on to read and learns of it.
 *
 * <p>Not thread-safe. The socket's timeout is changed during a wait only.
 */
final class PromptInput extends InputStream {

  /** While data flows: pgjdbc holds its lock so long, and who confirms a position waits for it. */
  static final Duration SHORT = Duration.ofMillis(1);

  /** When nothing has come for {@link #QUIET}. */
  static final Duration LONG = Duration.ofMillis(500);

  /** Longer than between two changes of a busy source; a keepalive of an idle one is data too. */
  static final Duration QUIET = Duration.ofMillis(100);

  private static final int NOTHING = -2;

  private final Socket socket;
  private final InputStream in;
  private final LongSupplier nanos;
  private int ahead = NOTHING;
  private long lastData;

  /**
   * A stream over a socket's own.
   *
   * @param nanos as {@link System#nanoTime}
   */
  PromptInput(Socket socket, InputStream in, LongSupplier nanos) {
    this.socket = socket;
    this.in = in;
    this.nanos = nanos;
    this.lastData = nanos.getAsLong();
  }

  @Override
  public int available() throws IOException {
    if (ahead == NOTHING) {
      int there = in.available();
      if (there > 0) {
        lastData = nanos.getAsLong();
        return there;
      }
      await();
    }
    return switch (ahead) {
      case NOTHING -> 0;
      case -1 -> 1;
      default -> 1 + in.available();
    };
  }

  private void await() throws IOException {
    Duration wait = nanos.getAsLong() - lastData < QUIET.toNanos() ? SHORT : LONG;
    int timeout = socket.getSoTimeout();
    socket.setSoTimeout((int) wait.toMillis());
    try {
      ahead = in.read();
      lastData = nanos.getAsLong();
    } catch (SocketTimeoutException e) {
      ahead = NOTHING;
    } finally {
      socket.setSoTimeout(timeout);
    }
  }

  @Override
  public int read() throws IOException {
    if (ahead == NOTHING) {
      return in.read();
    }
    int first = ahead;
    ahead = NOTHING;
    return first;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    if (ahead == NOTHING || length == 0) {
      return in.read(bytes, offset, length);
    }
    int first = read();
    if (first < 0) {
      return first;
    }
    bytes[offset] = (byte) first;
    int more = Math.min(length - 1, in.available());
    return more > 0 ? 1 + Math.max(0, in.read(bytes, offset + 1, more)) : 1;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
