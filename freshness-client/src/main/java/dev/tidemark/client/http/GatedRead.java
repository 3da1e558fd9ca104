package dev.tidemark.client.http;

import dev.tidemark.client.FreshnessHeaders;
import dev.tidemark.client.Position;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscribers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** One read: asks until the answer is not 202 any more, or the time is over. For one thread. */
final class GatedRead<T> {

  private static final int OK = 200;
  private static final int PENDING = 202;

  /** The rows of a 200, or the text of any other answer. */
  private record Body<T>(@Nullable T rows, String text) {}

  private final HttpClient http;
  private final HttpRequest request;
  private final BodyHandler<T> handler;
  private final Patience patience;
  private final long end;

  GatedRead(HttpClient http, HttpRequest request, BodyHandler<T> handler, Patience patience) {
    this.http = http;
    this.request = request;
    this.handler = handler;
    this.patience = patience;
    this.end = System.nanoTime() + patience.within().toNanos();
  }

  ReadOutcome<T> run() throws IOException, InterruptedException {
    ReadOutcome.Pending<T> pending = null;
    while (true) {
      Optional<HttpResponse<Body<T>>> answer = ask();
      if (answer.isEmpty()) {
        if (pending == null) {
          throw new HttpTimeoutException("no answer within " + patience.within());
        }
        return pending;
      }
      if (answer.get().statusCode() != PENDING) {
        return outcome(answer.get());
      }
      pending = pending(answer.get());
      if (pending.retryAfter().compareTo(left()) >= 0) {
        return pending;
      }
      Thread.sleep(pending.retryAfter().toMillis());
    }
  }

  private Duration left() {
    return Duration.ofNanos(Math.max(0, end - System.nanoTime()));
  }

  /** Empty when the time is over. The time counts for the body too, unlike a request's timeout. */
  private Optional<HttpResponse<Body<T>>> ask() throws IOException, InterruptedException {
    CompletableFuture<HttpResponse<Body<T>>> answer = http.sendAsync(preferring(), this::body);
    try {
      return Optional.of(answer.get(left().toNanos(), TimeUnit.NANOSECONDS));
    } catch (TimeoutException e) {
      answer.cancel(true);
      return Optional.empty();
    } catch (InterruptedException e) {
      answer.cancel(true);
      throw e;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException failure) {
        throw failure;
      }
      throw new IOException("the read failed", e.getCause());
    }
  }

  private HttpRequest preferring() {
    long seconds = patience.waitSeconds(left());
    return seconds == 0
        ? request
        : HttpRequest.newBuilder(request, (name, value) -> true)
            .setHeader("Prefer", "wait=" + seconds)
            .build();
  }

  private HttpResponse.BodySubscriber<Body<T>> body(HttpResponse.ResponseInfo answer) {
    return answer.statusCode() == OK
        ? BodySubscribers.mapping(handler.apply(answer), rows -> new Body<>(rows, ""))
        : BodySubscribers.mapping(
            BodySubscribers.ofString(StandardCharsets.UTF_8), text -> new Body<>(null, text));
  }

  private static <T> ReadOutcome.Pending<T> pending(HttpResponse<Body<T>> answer) {
    String body = answer.body().text();
    return new ReadOutcome.Pending<>(
        Answers.position(body, "requiredLsn"),
        Answers.position(body, "replicatedLsn"),
        Answers.pause(answer.headers(), body));
  }

  @SuppressWarnings("NullAway") // rows are null where the caller's own handler makes them so
  private static <T> ReadOutcome<T> outcome(HttpResponse<Body<T>> answer) {
    Optional<Position> replicated =
        Answers.position(answer.headers(), FreshnessHeaders.REPLICATED_LSN);
    if (answer.statusCode() == OK) {
      return new ReadOutcome.Fresh<>(answer.body().rows(), replicated, answer.headers());
    }
    String text = answer.body().text();
    String problem = Answers.problem(text);
    return switch (problem) {
      case "no-such-row" -> new ReadOutcome.Absent<>(replicated);
      case "history-changed", "position-beyond-source" -> new ReadOutcome.HistoryChanged<>(problem);
      default -> new ReadOutcome.Refused<>(answer.statusCode(), problem, answer.headers(), text);
    };
  }
}
