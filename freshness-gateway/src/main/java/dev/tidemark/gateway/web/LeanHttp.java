package dev.tidemark.gateway.web;

import org.apache.coyote.http11.Http11NioProtocol;

/**
 * HTTP/1.1 with small buffers. A read that waits keeps all buffers of its connection, and with
 * Tomcat's own sizes ten thousand of them need more than a gigabyte (seen with Tomcat 11.0.22: 92
 * KB of buffers each). What is larger than a buffer is passed on in pieces. Tomcat makes it by its
 * name.
 */
public final class LeanHttp extends Http11NioProtocol {

  private static final int READ_BYTES = 2 << 10;
  private static final int WRITE_BYTES = 4 << 10;
  private static final int ANSWER_BYTES = 2 << 10;

  /** For Tomcat. */
  public LeanHttp() {
    // The system reads into and writes from memory outside of the heap in any case.
    setProperty("socket.directBuffer", "true");
    setProperty("socket.appReadBufSize", Integer.toString(READ_BYTES));
    setProperty("socket.appWriteBufSize", Integer.toString(WRITE_BYTES));
  }

  /** Of an answer's body, as bytes and once more as characters. */
  @Override
  public int getDesiredBufferSize() {
    return ANSWER_BYTES;
  }
}
