package dev.tidemark.gateway.web;

import dev.tidemark.gateway.replica.Client;
import java.io.IOException;
import org.apache.coyote.Processor;
import org.apache.coyote.http11.Http11NioProtocol;
import org.apache.coyote.http11.Http11Processor;
import org.apache.tomcat.util.net.SocketWrapperBase;

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

  /**
   * Where a request of the connector holds its {@link Client}; Tomcat itself uses the first few.
   */
  static final int CLIENT_NOTE = 20;

  @Override
  protected Processor createProcessor() {
    return new Watched(this);
  }

  /** Of an answer's body, as bytes and once more as characters. */
  @Override
  public int getDesiredBufferSize() {
    return ANSWER_BYTES;
  }

  /** Serves one request after the other of one connection. */
  private static final class Watched extends Http11Processor implements Client {

    Watched(LeanHttp http) {
      super(http, http.getAdapter());
      getRequest().setNote(CLIENT_NOTE, this);
    }

    /**
     * A look without waiting. What the client has sent ahead, its next request, stays in the
     * connection's buffer for the time when it is served.
     */
    @Override
    public boolean gone() {
      SocketWrapperBase<?> socket = getSocketWrapper();
      try {
        return socket == null || (!socket.isReadyForRead() && socket.isClosed());
      } catch (IOException e) {
        return true;
      }
    }
  }
}
