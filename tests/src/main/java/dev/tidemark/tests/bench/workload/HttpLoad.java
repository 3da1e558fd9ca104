package dev.tidemark.tests.bench.workload;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Sends one request again and again on some connections, each as soon as its last answer has come,
 * from one thread. It shares the processors with what it measures, so it does no more than find the
 * end of each answer: a request costs it some ten microseconds.
 */
final class HttpLoad {

  private static final int ANSWER_LIMIT = 64 * 1024;
  private static final byte[] LENGTH = "content-length:".getBytes(StandardCharsets.US_ASCII);
  private static final int STATUS_AT = "HTTP/1.1 ".length();

  private final InetSocketAddress address;
  private final ByteBuffer request;
  private final List<Double> millis;
  private int left;
  private int open;

  private HttpLoad(URI gateway, String request, int requests) {
    this.address = new InetSocketAddress(gateway.getHost(), gateway.getPort());
    this.request = ByteBuffer.wrap(request.getBytes(StandardCharsets.US_ASCII));
    this.left = requests;
    this.millis = new ArrayList<>(requests);
  }

  /**
   * Sends them all.
   *
   * @param headers whole lines, each with its line end
   * @return how long each took, in milliseconds
   * @throws IOException when an answer is not 200
   */
  static List<Double> run(URI gateway, String path, String headers, int connections, int requests)
      throws IOException {
    HttpLoad load =
        new HttpLoad(
            gateway,
            "GET %s HTTP/1.1\r\nHost: %s:%d\r\n%s\r\n"
                .formatted(path, gateway.getHost(), gateway.getPort(), headers),
            requests);
    load.run(Math.min(connections, requests));
    return load.millis;
  }

  private void run(int connections) throws IOException {
    try (Selector selector = Selector.open()) {
      for (int i = 0; i < connections; i++) {
        SocketChannel channel = SocketChannel.open(address);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.configureBlocking(false);
        channel.register(selector, SelectionKey.OP_READ, new Exchange(channel));
        open++;
      }
      try {
        for (SelectionKey key : selector.keys()) {
          ((Exchange) key.attachment()).send();
        }
        while (open > 0) {
          selector.select();
          for (SelectionKey key : selector.selectedKeys()) {
            ((Exchange) key.attachment()).read();
          }
          selector.selectedKeys().clear();
        }
      } finally {
        for (SelectionKey key : selector.keys()) {
          key.channel().close();
        }
      }
    }
  }

  /** One connection. */
  private final class Exchange {

    private final SocketChannel channel;
    private final ByteBuffer answer = ByteBuffer.allocate(ANSWER_LIMIT);
    private long sent;

    Exchange(SocketChannel channel) {
      this.channel = channel;
    }

    void send() throws IOException {
      if (left == 0) {
        open--;
        return;
      }
      left--;
      answer.clear();
      sent = System.nanoTime();
      ByteBuffer bytes = request.duplicate();
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
    }

    void read() throws IOException {
      if (channel.read(answer) < 0) {
        throw new EOFException("the gateway has closed a connection");
      }
      if (isComplete()) {
        millis.add((System.nanoTime() - sent) / 1e6);
        send();
      }
    }

    private boolean isComplete() throws IOException {
      byte[] bytes = answer.array();
      int end = answer.position();
      int body = endOfHead(bytes, end);
      if (body < 0) {
        return false;
      }
      if (bytes[STATUS_AT] != '2' || bytes[STATUS_AT + 1] != '0' || bytes[STATUS_AT + 2] != '0') {
        throw new IOException(
            "answered "
                + new String(bytes, 0, Math.min(end, body), StandardCharsets.US_ASCII).strip());
      }
      return end >= body + length(bytes, body);
    }

    private static int endOfHead(byte[] bytes, int end) {
      for (int i = 3; i < end; i++) {
        if (bytes[i] == '\n' && bytes[i - 2] == '\n') {
          return i + 1;
        }
      }
      return -1;
    }

    private static int length(byte[] bytes, int end) throws IOException {
      for (int i = 0; i < end; i++) {
        if (bytes[i] == '\n' && startsWithLength(bytes, i + 1)) {
          int length = 0;
          for (int j = i + 1 + LENGTH.length; bytes[j] != '\r'; j++) {
            length = bytes[j] == ' ' ? length : 10 * length + bytes[j] - '0';
          }
          return length;
        }
      }
      throw new IOException("an answer without a length");
    }

    private static boolean startsWithLength(byte[] bytes, int at) {
      for (int i = 0; i < LENGTH.length; i++) {
        if ((bytes[at + i] | 0x20) != LENGTH[i] && bytes[at + i] != LENGTH[i]) {
          return false;
        }
      }
      return true;
    }
  }
}
