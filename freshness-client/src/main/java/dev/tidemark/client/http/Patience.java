package dev.tidemark.client.http;

import java.time.Duration;

/**
 * How long a read may take until its rows are fresh enough.
 *
 * @param within for everything, answers and pauses; more than nothing
 * @param serverWait how long the gateway may hold a request back until the rows are fresh ({@code
 *     Prefer: wait}), in whole seconds, at most the gateway's 30 s; zero for not at all, so that
 *     the client asks again after the pause that the gateway names
 */
public record Patience(Duration within, Duration serverWait) {

  /** What is left for the way of an answer that the gateway holds back until the last moment. */
  private static final Duration FOR_THE_ANSWER = Duration.ofMillis(500);

  /**
   * @throws IllegalArgumentException when one of them is out of its range
   */
  public Patience {
    if (within.isZero() || within.isNegative()) {
      throw new IllegalArgumentException("a read needs some time, but it was given " + within);
    }
    if (serverWait.isNegative()) {
      throw new IllegalArgumentException(
          "the gateway can wait for 0 s or longer, but not for " + serverWait);
    }
  }

  /** Asks again and again, for so long. */
  public static Patience of(Duration within) {
    return new Patience(within, Duration.ZERO);
  }

  /** The same, and lets the gateway hold each request back for up to so long. */
  public Patience waitingAtServer(Duration wait) {
    return new Patience(within, wait);
  }

  /** The whole seconds to ask the gateway to wait while so much time is left; 0 for none. */
  long waitSeconds(Duration left) {
    long most = Math.max(0, left.minus(FOR_THE_ANSWER).toSeconds());
    return Math.min(serverWait.toSeconds(), most);
  }
}
