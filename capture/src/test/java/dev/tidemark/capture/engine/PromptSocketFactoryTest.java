package dev.tidemark.capture.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PromptSocketFactoryTest {

  private static final int BYTES = 100_000;

  /** In packets of all sizes, with looks between all kinds of reads. */
  @Test
  void bytesComeOverASocketAsTheyWereSent() throws Exception {
    byte[] sent = new byte[BYTES];
    new Random(1).nextBytes(sent);
    ByteArrayOutputStream received = new ByteArrayOutputStream();
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Socket client = new PromptSocketFactory().createSocket()) {
      client.connect(server.getLocalSocketAddress());
      client.setSoTimeout(20_000);
      Thread sender = Thread.ofPlatform().start(() -> send(server, sent));
      InputStream input = client.getInputStream();
      assertThat(client.getInputStream()).isSameAs(input);
      receive(input, received);
      sender.join();
      assertThat(client.getSoTimeout()).isEqualTo(20_000);
    }

    assertThat(received.toByteArray()).isEqualTo(sent);
  }

  private static void send(ServerSocket server, byte[] bytes) {
    Random random = new Random(2);
    try (Socket socket = server.accept()) {
      socket.setTcpNoDelay(true);
      OutputStream output = socket.getOutputStream();
      for (int at = 0; at < bytes.length; ) {
        int packet = Math.min(bytes.length - at, 1 + random.nextInt(2_000));
        output.write(bytes, at, packet);
        at += packet;
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void receive(InputStream input, ByteArrayOutputStream received)
      throws IOException {
    Random random = new Random(3);
    byte[] buffer = new byte[3_000];
    while (true) {
      await().until(() -> input.available() > 0);
      if (random.nextInt(3) == 0) {
        int one = input.read();
        if (one < 0) {
          return;
        }
        received.write(one);
      } else {
        int count = input.read(buffer, 0, 1 + random.nextInt(buffer.length));
        if (count < 0) {
          return;
        }
        received.write(buffer, 0, count);
      }
    }
  }
}
