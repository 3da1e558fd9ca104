package dev.tidemark.capture.engine;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;

/**
 * A socket's stream whose {@link #available()} waits for a first byte, for {@link #WAIT} at most.
 * It reads that byte to do so, and hands it out with the next read. At the stream's end it says 1,
 * so that the reader goes on to read and learns of it.
 *
 * <p>Not thread-safe. The socket's timeout is changed during a wait only.
 */
final class PromptInput extends InputStream {

  /** Who confirms a position, or closes the connection, waits so long for pgjdbc's lock. */
  static final Duration WAIT = Duration.ofMillis(300);

  private static final int NOTHING = -2;

  private final Socket socket;
  private final InputStream in;
  private int ahead = NOTHING;

  /** A stream over a socket's own. */
  PromptInput(Socket socket, InputStream in) {
    this.socket = socket;
    this.in = in;
  }

  @Override
  public int available() throws IOException {
    if (ahead == NOTHING) {
      int there = in.available();
      if (there > 0) {
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
    int timeout = socket.getSoTimeout();
    socket.setSoTimeout((int) WAIT.toMillis());
    try {
      ahead = in.read();
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
