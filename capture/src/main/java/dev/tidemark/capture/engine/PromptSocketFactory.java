package dev.tidemark.capture.engine;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import javax.net.SocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * Sockets whose {@code available()} waits a moment for data, for pgjdbc's setting {@code
 * socketFactory}.
 *
 * <p>Debezium's reader of the slot looks whether something has come, and sleeps for {@code
 * poll.interval.ms} when nothing has; pgjdbc answers that look with {@code available()}. Where the
 * look itself waits, the reader goes on with the first byte, and looks less often while the source
 * is idle. Under TLS it is the TLS layer that is looked at, which does not wait: there the poll
 * interval counts.
 *
 * <p>Made by pgjdbc, by its name. Thread-safe; a socket's stream is for one thread at a time.
 */
public final class PromptSocketFactory extends SocketFactory {

  /** While data flows: the reader holds pgjdbc's lock so long, and acknowledgements wait for it. */
  private static final Duration SHORT = Duration.ofMillis(2);

  /** When nothing has come for {@link #QUIET}. */
  private static final Duration LONG = Duration.ofMillis(20);

  private static final long QUIET = Duration.ofSeconds(1).toNanos();

  @Override
  public Socket createSocket() {
    return new PromptSocket();
  }

  @Override
  public Socket createSocket(String host, int port) {
    throw connected();
  }

  @Override
  public Socket createSocket(String host, int port, InetAddress local, int localPort) {
    throw connected();
  }

  @Override
  public Socket createSocket(InetAddress host, int port) {
    throw connected();
  }

  @Override
  public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort) {
    throw connected();
  }

  private static UnsupportedOperationException connected() {
    return new UnsupportedOperationException("pgjdbc connects its sockets itself");
  }

  private static final class PromptSocket extends Socket {

    private @Nullable InputStream input;

    @Override
    public synchronized InputStream getInputStream() throws IOException {
      if (input == null) {
        input = new PromptInput(this, super.getInputStream());
      }
      return input;
    }
  }

  private static final class PromptInput extends InputStream {

    private static final int NOTHING = -2;

    private final Socket socket;
    private final InputStream in;
    private int ahead = NOTHING;
    private long lastData = System.nanoTime();

    PromptInput(Socket socket, InputStream in) {
      this.socket = socket;
      this.in = in;
    }

    @Override
    public int available() throws IOException {
      if (ahead == NOTHING) {
        int there = in.available();
        if (there > 0) {
          lastData = System.nanoTime();
          return there;
        }
        await();
      }
      return ahead >= 0 ? 1 + in.available() : 0;
    }

    private void await() throws IOException {
      Duration wait = System.nanoTime() - lastData < QUIET ? SHORT : LONG;
      int timeout = socket.getSoTimeout();
      socket.setSoTimeout((int) wait.toMillis());
      try {
        ahead = in.read();
        lastData = System.nanoTime();
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
      ahead = first < 0 ? first : NOTHING;
      return first;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      if (ahead == NOTHING) {
        return in.read(bytes, offset, length);
      }
      if (length == 0) {
        return 0;
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
}
