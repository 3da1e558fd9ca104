package dev.tidemark.capture.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PromptInputTest {

  private final List<Integer> timeouts = new ArrayList<>();
  private final Wire wire = new Wire();
  private final PromptInput input = new PromptInput(new TimeoutSocket(), wire);

  /** What comes over the wire, a packet after the other; it never blocks. */
  private static final class Wire extends InputStream {

    private final List<byte[]> packets = new ArrayList<>();
    private InputStream now = InputStream.nullInputStream();
    private boolean ended;

    /** Comes while a read waits for it. */
    void late(int... bytes) {
      packets.add(bytes(bytes));
    }

    /** Has come already. */
    void there(int... bytes) {
      now = new ByteArrayInputStream(bytes(bytes));
    }

    void end() {
      ended = true;
    }

    private static byte[] bytes(int... bytes) {
      byte[] packet = new byte[bytes.length];
      for (int i = 0; i < bytes.length; i++) {
        packet[i] = (byte) bytes[i];
      }
      return packet;
    }

    @Override
    public int available() throws IOException {
      return now.available();
    }

    @Override
    public int read() throws IOException {
      if (now.available() == 0) {
        if (packets.isEmpty()) {
          if (ended) {
            return -1;
          }
          throw new SocketTimeoutException();
        }
        now = new ByteArrayInputStream(packets.removeFirst());
      }
      return now.read();
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      if (now.available() == 0 && length > 0) {
        throw new IllegalStateException("this read would wait");
      }
      return now.read(bytes, offset, length);
    }
  }

  private final class TimeoutSocket extends Socket {

    private int timeout = 30_000;

    @Override
    public synchronized int getSoTimeout() {
      return timeout;
    }

    @Override
    public synchronized void setSoTimeout(int millis) {
      timeout = millis;
      timeouts.add(millis);
    }
  }

  private List<Integer> readAll(int count) throws IOException {
    byte[] bytes = new byte[count];
    int read = input.read(bytes, 0, count);
    List<Integer> values = new ArrayList<>();
    for (int i = 0; i < read; i++) {
      values.add(Byte.toUnsignedInt(bytes[i]));
    }
    return values;
  }

  @Test
  void whatHasComeIsSaidWithoutWaiting() throws IOException {
    wire.there(1, 2);

    assertThat(input.available()).isEqualTo(2);
    assertThat(timeouts).isEmpty();
    assertThat(readAll(9)).containsExactly(1, 2);
  }

  @Test
  void aLookWaitsAndRestoresTheSocketsTimeout() throws IOException {
    assertThat(input.available()).isZero();
    assertThat(timeouts).containsExactly((int) PromptInput.WAIT.toMillis(), 30_000);
  }

  @Test
  void whatAWaitFetchedIsReadFirst() throws IOException {
    wire.late(200, 2, 3);

    assertThat(input.available()).isEqualTo(3);
    assertThat(input.available()).isEqualTo(3);
    assertThat(readAll(9)).containsExactly(200, 2, 3);
  }

  @Test
  void aReadTakesNoMoreThanItHasRoomFor() throws IOException {
    wire.late(1, 2, 3);
    assertThat(input.available()).isEqualTo(3);

    assertThat(readAll(0)).isEmpty();
    assertThat(readAll(1)).containsExactly(1);
    assertThat(readAll(1)).containsExactly(2);
    assertThat(input.read()).isEqualTo(3);
  }

  /** A read would have to wait for the second byte. */
  @Test
  void aReadDoesNotWaitForMoreThanThereIs() throws IOException {
    wire.late(1);
    wire.late(2);
    assertThat(input.available()).isEqualTo(1);

    assertThat(readAll(9)).containsExactly(1);
    assertThat(input.available()).isEqualTo(1);
    assertThat(readAll(9)).containsExactly(2);
  }

  /** With nothing available nobody would read on, and so nobody would learn of the end. */
  @Test
  void atTheEndSomethingIsAvailableWhichIsTheEnd() throws IOException {
    wire.end();

    assertThat(input.available()).isEqualTo(1);
    assertThat(input.read(new byte[4], 0, 4)).isEqualTo(-1);
    assertThat(input.read()).isEqualTo(-1);
  }
}
