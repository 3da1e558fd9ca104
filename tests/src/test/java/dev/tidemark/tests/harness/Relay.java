package dev.tidemark.tests.harness;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A way to a database that can be cut: to whoever goes by it the server is gone, while everybody
 * else still reaches it. Thread-safe.
 */
public final class Relay implements AutoCloseable {

  private static final String SCHEME = "jdbc:";
  private static final int BACKLOG = 50;

  private final URI target;
  private volatile ServerSocket server;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

  /** A way to the database of this JDBC URL. */
  public Relay(String jdbcUrl) throws IOException {
    target = URI.create(jdbcUrl.substring(SCHEME.length()));
    server = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
    start(server);
  }

  /** The JDBC URL that goes by it. */
  public String jdbcUrl() {
    return SCHEME
        + target
            .toString()
            .replace(":" + target.getPort() + "/", ":" + server.getLocalPort() + "/");
  }

  /** Ends all connections and refuses new ones. */
  public void cut() throws IOException {
    server.close();
    for (Socket socket : sockets) {
      socket.close();
    }
  }

  /** Lets connections come again, by the same URL. */
  public void mend() throws IOException {
    server = new ServerSocket(server.getLocalPort(), BACKLOG, InetAddress.getLoopbackAddress());
    start(server);
  }

  private void start(ServerSocket open) {
    Thread.ofVirtual().name("relay").start(() -> accept(open));
  }

  private void accept(ServerSocket open) {
    while (!open.isClosed()) {
      try {
        Socket client = open.accept();
        Socket upstream = new Socket(target.getHost(), target.getPort());
        sockets.add(client);
        sockets.add(upstream);
        if (open.isClosed()) {
          cut();
        }
        Thread.ofVirtual().start(() -> pump(client, upstream));
        Thread.ofVirtual().start(() -> pump(upstream, client));
      } catch (IOException e) {
        // Cut, or a client that went away at once: the next one is accepted or refused.
        continue;
      }
    }
  }

  private static void pump(Socket from, Socket to) {
    try (from;
        to) {
      from.getInputStream().transferTo(to.getOutputStream());
    } catch (IOException e) {
      // One side has gone; both are closed.
      return;
    }
  }

  @Override
  public void close() throws IOException {
    cut();
  }
}
