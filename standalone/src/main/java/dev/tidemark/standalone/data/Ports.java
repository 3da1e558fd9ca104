package dev.tidemark.standalone.data;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ThreadLocalRandom;

/** Ports of the loopback address, for servers whose address should survive a restart. */
public final class Ports {

  /**
   * Below the ranges that Linux (32768) and macOS (49152) take the ports of outgoing connections
   * from: so no connection takes a port between its choice and the server's start, or while the
   * installation is down.
   */
  private static final int LOWEST = 20_000;

  private static final int HIGHEST = 32_000;
  private static final int TRIES = 1_000;

  private Ports() {}

  /**
   * The port that the file remembers when nobody listens on it, else a free one, which the file
   * then remembers.
   */
  public static int remembered(Path file) throws IOException {
    if (Files.exists(file)) {
      String text = Files.readString(file).strip();
      if (text.matches("[0-9]{1,5}") && isFree(Integer.parseInt(text))) {
        return Integer.parseInt(text);
      }
    }
    return fresh(file);
  }

  /** A free port, which the file then remembers instead of its old one. */
  public static int fresh(Path file) throws IOException {
    for (int i = 0; i < TRIES; i++) {
      int port = ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST);
      if (isFree(port)) {
        Files.writeString(file, port + "\n");
        return port;
      }
    }
    throw new InstallationException(
        "no free port found on 127.0.0.1 in "
            + TRIES
            + " tries between "
            + LOWEST
            + " and "
            + HIGHEST
            + ": stop other servers of this machine");
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.bind(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), port));
      return true;
    } catch (IOException | IllegalArgumentException e) {
      return false;
    }
  }
}
