package dev.tidemark.tests.harness;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A pooler as PgBouncer is in the mode {@code transaction}, and as mean as one can be: all clients
 * share one connection of the server, which is handed on whenever no transaction is open, with
 * whatever the client before left on its session. Clients must come in the same role and to the
 * same database. Thread-safe.
 *
 * <p>The messages are those of PostgreSQL's documentation, chapter "Frontend/Backend Protocol".
 */
public final class TransactionPooler implements AutoCloseable {

  private static final String SCHEME = "jdbc:";
  private static final int SSL_REQUEST = 80877103;
  private static final int GSS_REQUEST = 80877104;
  private static final int CANCEL_REQUEST = 80877102;

  /** Of a connection: no transaction is open. */
  private static final byte IDLE = 'I';

  private final URI target;
  private final ServerSocket door;
  private final ReentrantLock turn = new ReentrantLock(true);
  private final AtomicInteger handovers = new AtomicInteger();
  private final ByteArrayOutputStream greeting = new ByteArrayOutputStream();
  private @Nullable Peer server;
  private @Nullable Peer lastClient;

  /** One message: its type, and its body without the length. */
  private record Message(byte type, byte[] body) {
    int code() {
      return (body[0] & 0xff) << 24
          | (body[1] & 0xff) << 16
          | (body[2] & 0xff) << 8
          | body[3] & 0xff;
    }
  }

  private record Peer(Socket socket, DataInputStream in, DataOutputStream out) {
    static Peer of(Socket socket) throws IOException {
      return new Peer(
          socket,
          new DataInputStream(new BufferedInputStream(socket.getInputStream())),
          new DataOutputStream(new BufferedOutputStream(socket.getOutputStream())));
    }

    Message read() throws IOException {
      byte type = in.readByte();
      return new Message(type, in.readNBytes(in.readInt() - Integer.BYTES));
    }

    void write(Message message) throws IOException {
      out.writeByte(message.type());
      out.writeInt(message.body().length + Integer.BYTES);
      out.write(message.body());
    }
  }

  /** A pooler before the database of this JDBC URL. */
  public TransactionPooler(String jdbcUrl) throws IOException {
    target = URI.create(jdbcUrl.substring(SCHEME.length()));
    door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().name("pooler").start(this::accept);
  }

  /** The JDBC URL that goes by it. A statement that is named belongs to a session, so none is. */
  public String jdbcUrl() {
    String url =
        target.toString().replace(":" + target.getPort() + "/", ":" + door.getLocalPort() + "/");
    return SCHEME + url + (url.contains("?") ? "&" : "?") + "prepareThreshold=0";
  }

  /** How often the server's connection went from one client to another. */
  public int handovers() {
    return handovers.get();
  }

  private void accept() {
    while (!door.isClosed()) {
      try {
        Peer client = Peer.of(door.accept());
        Thread.ofVirtual().name("pooled").start(() -> serve(client));
      } catch (IOException e) {
        // Closed, or a client that went away at once.
        continue;
      }
    }
  }

  private void serve(Peer client) {
    try (Socket closing = client.socket()) {
      byte[] startup = startup(client);
      if (startup.length > 0) {
        greet(client, startup);
        for (Message message = client.read(); message.type() != 'X'; message = client.read()) {
          transaction(client, message);
        }
      }
    } catch (IOException e) {
      // The client has gone, as clients do.
      return;
    }
  }

  private static byte[] startup(Peer client) throws IOException {
    while (true) {
      byte[] body = client.in().readNBytes(client.in().readInt() - Integer.BYTES);
      int code = new Message((byte) 0, body).code();
      if (code == CANCEL_REQUEST) {
        return new byte[0];
      }
      if (code != SSL_REQUEST && code != GSS_REQUEST) {
        return body;
      }
      client.out().writeByte('N');
      client.out().flush();
    }
  }

  /** The first client signs in at the server itself; the others are told what it was told. */
  private void greet(Peer client, byte[] startup) throws IOException {
    turn.lock();
    try {
      if (server == null) {
        server = signIn(client, startup);
      } else {
        client.out().write(greeting.toByteArray());
        client.out().flush();
      }
    } finally {
      turn.unlock();
    }
  }

  private Peer signIn(Peer client, byte[] startup) throws IOException {
    Peer fresh = Peer.of(new Socket(target.getHost(), target.getPort()));
    fresh.out().writeInt(startup.length + Integer.BYTES);
    fresh.out().write(startup);
    fresh.out().flush();
    Peer record = new Peer(fresh.socket(), fresh.in(), new DataOutputStream(greeting));
    while (true) {
      Message message = fresh.read();
      client.write(message);
      client.out().flush();
      boolean authentication = message.type() == 'R';
      if (!authentication || message.code() == 0) {
        record.write(message);
      }
      // Ok and SASLFinal want no answer, all others want one.
      if (authentication && message.code() != 0 && message.code() != 12) {
        fresh.write(client.read());
        fresh.out().flush();
      }
      if (message.type() == 'E') {
        throw new IOException("the server let nobody in");
      }
      if (message.type() == 'Z') {
        return fresh;
      }
    }
  }

  /** From a message to the next time that no transaction is open. */
  private void transaction(Peer client, Message first) throws IOException {
    turn.lock();
    try {
      Peer shared = server;
      if (shared == null) {
        throw new IOException("nobody has signed in");
      }
      if (lastClient != null && !client.equals(lastClient)) {
        handovers.incrementAndGet();
      }
      lastClient = client;
      byte state = exchange(client, shared, first);
      while (state != IDLE) {
        state = exchange(client, shared, next(client, shared));
      }
    } finally {
      turn.unlock();
    }
  }

  private static Message next(Peer client, Peer shared) throws IOException {
    try {
      return client.read();
    } catch (IOException e) {
      rollback(shared);
      throw e;
    }
  }

  /**
   * Passes on what the client asks, up to a message that the server answers to its end, and the
   * answer. Whatever the client does meanwhile, the server's connection is left between messages.
   *
   * @return the state of the transaction
   */
  private static byte exchange(Peer client, Peer shared, Message first) throws IOException {
    boolean gone = !ask(client, shared, first);
    shared.out().flush();
    Message answer = shared.read();
    for (; answer.type() != 'Z'; answer = shared.read()) {
      gone = gone || !tell(client, answer, false);
    }
    if (gone || !tell(client, answer, true)) {
      if (answer.body()[0] != IDLE) {
        rollback(shared);
      }
      throw new IOException("the client has gone amid a transaction");
    }
    return answer.body()[0];
  }

  private static boolean ask(Peer client, Peer shared, Message first) throws IOException {
    Message message = first;
    shared.write(message);
    while (message.type() != 'S' && message.type() != 'Q') {
      try {
        message = client.read();
      } catch (IOException e) {
        shared.write(new Message((byte) 'S', new byte[0]));
        return false;
      }
      shared.write(message);
    }
    return true;
  }

  private static boolean tell(Peer client, Message answer, boolean last) {
    try {
      client.write(answer);
      if (last) {
        client.out().flush();
      }
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private static void rollback(Peer shared) throws IOException {
    shared.write(new Message((byte) 'Q', "rollback\0".getBytes(UTF_8)));
    shared.out().flush();
    Message answer = shared.read();
    while (answer.type() != 'Z') {
      answer = shared.read();
    }
  }

  @Override
  public void close() throws IOException {
    door.close();
    turn.lock();
    try {
      if (server != null) {
        server.socket().close();
      }
    } finally {
      turn.unlock();
    }
  }
}
