package dev.tidemark.capture.engine;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import javax.net.SocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * Sockets whose {@code available()} waits a moment for data ({@link PromptInput}), for pgjdbc's
 * setting {@code socketFactory}.
 *
 * <p>Debezium's reader of the slot looks whether something has come, and sleeps for {@code
 * poll.interval.ms} when nothing has; pgjdbc answers that look with {@code available()}. Where the
 * look itself waits, the reader goes on with the first byte, and looks less often while the source
 * is idle. Under TLS it is the TLS layer that is looked at, and pgjdbc's own look waits 1 ms.
 *
 * <p>Made by pgjdbc, by its name. Thread-safe; a socket's stream is for one thread at a time.
 */
public final class PromptSocketFactory extends SocketFactory {

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
}
