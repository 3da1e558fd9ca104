package dev.tidemark.tests.contract;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tidemark.standalone.client.Answer;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpHeaders;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Sends what no HTTP client would, byte by byte. */
final class RawRequest {

  private static final int LIMIT_MS = 60_000;

  private RawRequest() {}

  /** Opens a connection to a gateway. */
  static Socket connect(String gateway) throws IOException {
    URI uri = URI.create(gateway);
    Socket socket = new Socket(uri.getHost(), uri.getPort());
    socket.setSoTimeout(LIMIT_MS);
    return socket;
  }

  /**
   * Sends a request and reads the answer to its end.
   *
   * @param text the whole request, which asks for the connection to be closed
   */
  static Answer send(String gateway, String text) throws IOException {
    try (Socket socket = connect(gateway)) {
      socket.getOutputStream().write(text.getBytes(ISO_8859_1));
      socket.getOutputStream().flush();
      return answer(new String(socket.getInputStream().readAllBytes(), UTF_8));
    }
  }

  private static Answer answer(String text) {
    String[] parts = text.split("\r\n\r\n", 2);
    String[] lines = parts[0].split("\r\n");
    Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    for (int i = 1; i < lines.length; i++) {
      String[] header = lines[i].split(":", 2);
      headers.computeIfAbsent(header[0], name -> new ArrayList<>()).add(header[1].strip());
    }
    return new Answer(
        Integer.parseInt(lines[0].split(" ")[1]),
        HttpHeaders.of(headers, (name, value) -> true),
        parts.length < 2 ? "" : parts[1]);
  }
}
