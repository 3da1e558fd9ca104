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

  private final URI target;
  private final ServerSocket server;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

  /** A way to the database of this JDBC URL. */
  public Relay(String jdbcUrl) throws IOException {
    target = URI.create(jdbcUrl.substring(SCHEME.length()));
    server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().name("relay").start(this::accept);
  }

  /** The JDBC URL that goes by it. */
  public String jdbcUrl() {
    return SCHEME
        + target
            .toString()
            .replace(":" + target.getPort() + "/", ":" + server.getLocalPort() + "/");
  }

  /** Ends all connections and refuses new ones, for good. */
  public void cut() throws IOException {
    server.close();
    for (Socket socket : sockets) {
      socket.close();
    }
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket client = server.accept();
        Socket upstream = new Socket(target.getHost(), target.getPort());
        sockets.add(client);
        sockets.add(upstream);
        if (server.isClosed()) {
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
