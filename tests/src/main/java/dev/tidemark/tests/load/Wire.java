package dev.tidemark.tests.load;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;

/**
 * One connection to a gateway, with as little around it as HTTP/1.1 allows: the load generator
 * shares the machine with what it measures. Used by one thread at a time.
 */
public final class Wire implements AutoCloseable {

  private final Socket socket = new Socket();
  private final InputStream in;
  private final String host;

  /**
   * Connects.
   *
   * @param patience how long a byte of an answer may be away
   */
  public Wire(URI gateway, Duration patience) throws IOException {
    host = gateway.getHost() + ":" + gateway.getPort();
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(Math.toIntExact(patience.toMillis()));
    socket.connect(new InetSocketAddress(gateway.getHost(), gateway.getPort()));
    in = new BufferedInputStream(socket.getInputStream(), 2048);
  }

  /**
   * What came back.
   *
   * @param status HTTP's
   * @param body as UTF-8
   */
  public record Reply(int status, String body) {}

  /**
   * Sends a GET.
   *
   * @param headers whole lines, each with its line end
   */
  public void get(String path, String headers) throws IOException {
    String request = "GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\n" + headers + "\r\n";
    socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
  }

  /** Reads one answer to its end; the gateway always says how long it is. */
  public Reply reply() throws IOException {
    String first = line();
    int length = 0;
    for (String header = line(); !header.isEmpty(); header = line()) {
      String lower = header.toLowerCase(Locale.ROOT);
      if (lower.startsWith("content-length:")) {
        length = Integer.parseInt(lower.substring("content-length:".length()).strip());
      } else if (lower.startsWith("transfer-encoding:")) {
        throw new IOException("an answer without a length");
      }
    }
    byte[] body = in.readNBytes(length);
    if (body.length < length) {
      throw new EOFException("an answer that ends too early");
    }
    return new Reply(
        Integer.parseInt(first.split(" ", 3)[1]), new String(body, StandardCharsets.UTF_8));
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int b = in.read(); b != '\n'; b = in.read()) {
      if (b < 0) {
        throw new EOFException("the gateway has closed the connection");
      }
      if (b != '\r') {
        line.append((char) b);
      }
    }
    return line.toString();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
