package dev.tidemark.client.http;

import dev.tidemark.client.Position;
import java.net.http.HttpHeaders;
import java.time.Duration;
import java.util.Optional;

/**
 * How a read ended. The kinds are what a caller can do something about.
 *
 * @param <T> the body of a {@code 200}
 */
public sealed interface ReadOutcome<T> {

  /**
   * {@code 200}: rows that include what was required.
   *
   * @param body the rows
   * @param replicated the position that they are at least as fresh as
   * @param headers of the answer
   */
  record Fresh<T>(T body, Optional<Position> replicated, HttpHeaders headers)
      implements ReadOutcome<T> {}

  /**
   * {@code 404 no-such-row}: as fresh as was required, there is no such row.
   *
   * @param replicated the position at which it was not there
   */
  record Absent<T>(Optional<Position> replicated) implements ReadOutcome<T> {}

  /**
   * {@code 202}: the time was over before the replica had what was required. Show that it is
   * pending, ask again later, or read the source.
   *
   * @param required the position that was waited for
   * @param replicated the position that the replica had at the last answer
   * @param retryAfter when the gateway thinks it is worth asking again
   */
  record Pending<T>(Optional<Position> required, Optional<Position> replicated, Duration retryAfter)
      implements ReadOutcome<T> {}

  /**
   * {@code 409 history-changed} or {@code position-beyond-source}: the source's history has been
   * started anew since the write, or does not hold it. The jar has forgotten the token. Read the
   * source, or write again.
   *
   * @param problem the type of the problem
   */
  record HistoryChanged<T>(String problem) implements ReadOutcome<T> {}

  /**
   * Any other answer: the caller has no permission, asked for what does not exist, or the gateway
   * has trouble.
   *
   * @param status HTTP's status code
   * @param problem the type of the problem; empty when the body is no problem document
   * @param headers of the answer
   * @param body of the answer
   */
  record Refused<T>(int status, String problem, HttpHeaders headers, String body)
      implements ReadOutcome<T> {}

  /**
   * The rows.
   *
   * @throws StaleReadException when there are none that are fresh enough
   */
  default T orElseThrow() {
    if (this instanceof Fresh<T> fresh) {
      return fresh.body();
    }
    throw new StaleReadException(this);
  }
}
