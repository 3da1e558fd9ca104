package dev.tidemark.client.http;

import dev.tidemark.client.FreshnessHeaders;
import dev.tidemark.client.Position;
import dev.tidemark.client.Token;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Optional;

/**
 * Writes and reads in such a way that a read never misses a write of the same jar. Cheap to make:
 * one for each jar, over one {@link HttpClient}. Thread-safe.
 *
 * <p>A write's answer without a token leaves the jar with {@code latest}: the next read asks for
 * the source's position at its arrival, which covers the write. This is so after an answer without
 * {@code X-Tx-LSN}, unless its status is {@code 4xx}, and after a write that ended without an
 * answer, whose outcome is not known. A read that was answered so turns {@code latest} into the
 * position that it has seen.
 */
public final class FreshClient {

  private final HttpClient http;
  private final TokenJar jar;
  private final String source;

  /**
   * @param http sends the requests
   * @param jar remembers the tokens
   * @param source the name under which the jar keeps the tokens of the database that is written to
   *     and that the replica is made of
   */
  public FreshClient(HttpClient http, TokenJar jar, String source) {
    this.http = http;
    this.jar = jar;
    this.source = source;
  }

  /** Writes, with an answer that is taken as text. */
  public HttpResponse<String> write(HttpRequest request) throws IOException, InterruptedException {
    return write(request, BodyHandlers.ofString());
  }

  /**
   * Sends a request that writes to the source, and notes its token.
   *
   * @throws IOException when there is no answer; the write may have been committed
   * @throws InterruptedException when the thread is interrupted; the write may have been committed
   */
  public <T> HttpResponse<T> write(HttpRequest request, BodyHandler<T> handler)
      throws IOException, InterruptedException {
    boolean answered = false;
    try {
      HttpResponse<T> answer = http.send(request, handler);
      answered = true;
      note(answer);
      return answer;
    } finally {
      if (!answered) {
        jar.noteUnknown(source);
      }
    }
  }

  /** Notes what an answer says, or the redirections before it. */
  private void note(HttpResponse<?> answer) {
    boolean told = false;
    Optional<? extends HttpResponse<?>> next = Optional.of(answer);
    while (next.isPresent()) {
      Optional<Token> token = Answers.token(next.get().headers());
      token.ifPresent(each -> jar.note(source, each));
      told = told || token.isPresent();
      next = next.get().previousResponse();
    }
    if (!told && answer.statusCode() / 100 != 4) {
      jar.noteUnknown(source);
    }
  }

  /** Reads, asking again for so long, with rows that are taken as text. */
  public ReadOutcome<String> read(HttpRequest request, Duration within)
      throws IOException, InterruptedException {
    return read(request, BodyHandlers.ofString(), Patience.of(within));
  }

  /**
   * Reads a replica: demands what the jar holds for the source when the call begins, beside what
   * the request itself demands, and asks again as long as the answer is {@code 202} and there is
   * time.
   *
   * @param request a {@code GET} of the gateway, with its bearer token
   * @param handler for the body of a {@code 200}
   * @param patience for how long, and how
   * @return {@link ReadOutcome.Pending} also when the pause that the gateway asks for is longer
   *     than the time that is left
   * @throws java.net.http.HttpTimeoutException when there was no answer at all in time
   * @throws IOException when a request fails
   * @throws InterruptedException when the thread is interrupted; the request under way is cancelled
   */
  public <T> ReadOutcome<T> read(HttpRequest request, BodyHandler<T> handler, Patience patience)
      throws IOException, InterruptedException {
    TokenJar.Entry sent = jar.entry(source);
    Requirement requirement = sent.requirement();
    ReadOutcome<T> outcome =
        new GatedRead<>(http, demanding(request, requirement), handler, patience).run();
    if (outcome instanceof ReadOutcome.HistoryChanged<T>) {
      jar.forget(source, sent);
    } else if (requirement.latest()) {
      seen(outcome).ifPresent(position -> jar.replace(source, sent, requirement.seen(position)));
    }
    return outcome;
  }

  private static HttpRequest demanding(HttpRequest request, Requirement requirement) {
    HttpRequest.Builder builder = HttpRequest.newBuilder(request, (name, value) -> true);
    requirement.lsnHeader().ifPresent(it -> builder.header(FreshnessHeaders.REQUIRED_LSN, it));
    requirement
        .generationHeader()
        .ifPresent(it -> builder.setHeader(FreshnessHeaders.REQUIRED_GENERATION, it));
    return builder.build();
  }

  private static Optional<Position> seen(ReadOutcome<?> outcome) {
    if (outcome instanceof ReadOutcome.Fresh<?> fresh) {
      return fresh.replicated();
    }
    return outcome instanceof ReadOutcome.Absent<?> absent ? absent.replicated() : Optional.empty();
  }
}
