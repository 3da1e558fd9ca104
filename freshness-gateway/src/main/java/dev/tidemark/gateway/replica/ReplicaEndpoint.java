package dev.tidemark.gateway.replica;

import dev.tidemark.gateway.auth.Caller;
import dev.tidemark.gateway.auth.CallerToken;
import dev.tidemark.gateway.json.JsonObjectWriter;
import dev.tidemark.gateway.ops.RequestTimer;
import dev.tidemark.gateway.problem.Failures;
import dev.tidemark.gateway.problem.Problem;
import dev.tidemark.gateway.problem.ProblemException;
import dev.tidemark.gateway.problem.ProblemKind;
import dev.tidemark.gateway.problem.ProblemResponses;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import org.apache.tomcat.util.http.InvalidParameterException;

/**
 * {@code GET /api/replica/...}: rows of replica tables, behind the gate when one is asked for.
 *
 * <p>It is the last of the filters, behind the check of tokens, and not a handler of Spring's: to
 * find a handler, its arguments and a converter costs more than the rest of a read, and ten
 * thousand reads that wait would each keep those frames.
 */
public final class ReplicaEndpoint extends HttpFilter {

  private static final long serialVersionUID = 1L;

  static final String REPLICATED = "X-Replicated-LSN";

  private static final String ALLOWED = "GET, HEAD, OPTIONS";

  private final transient ReplicaReads reads;

  public ReplicaEndpoint(ReplicaReads reads) {
    this.reads = reads;
  }

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    Optional<ReplicaPath> path = ReplicaPath.parse(request.getRequestURI());
    if (path.isEmpty()) {
      chain.doFilter(request, response);
      return;
    }
    request.setAttribute(RequestTimer.PATTERN, path.get().pattern());
    switch (request.getMethod()) {
      case "GET", "HEAD" -> get(path.get(), request, response);
      case "OPTIONS" -> response.setHeader("Allow", ALLOWED);
      default ->
          ProblemResponses.write(
              response,
              Problem.of(ProblemKind.METHOD_NOT_ALLOWED, "Allowed here: " + ALLOWED + ".")
                  .withHeader("Allow", ALLOWED));
    }
  }

  private void get(ReplicaPath path, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    if (path.looksLikeFile()) {
      response.setHeader("Content-Disposition", "inline;filename=f.txt");
    }
    try {
      serve(path, request, response);
    } catch (ProblemException e) {
      ProblemResponses.write(response, e.problem());
    } catch (InvalidParameterException e) {
      ProblemResponses.write(
          response,
          Problem.of(
              ProblemKind.BAD_PARAMETER,
              "The query string can't be decoded. Send UTF-8, percent-encoded."));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      ProblemResponses.write(response, Failures.internal(e));
    } catch (RuntimeException e) {
      ProblemResponses.write(response, Failures.internal(e));
    }
  }

  private void serve(ReplicaPath path, HttpServletRequest request, HttpServletResponse response)
      throws IOException, InterruptedException {
    long arrivedAt = System.nanoTime();
    Caller caller = CallerToken.current().getPrincipal();
    Map<String, String[]> parameters = request.getParameterMap();
    reads.requireRead(caller, path.target());
    ReadTerms terms = ReadTerms.of(request, arrivedAt);
    GatedReads.Outcome outcome =
        reads.read(
            caller,
            path.target(),
            terms,
            Client.of(request),
            table ->
                path.key().isPresent()
                    ? ReadRequest.ofKey(table, path.key().get())
                    : ReadRequest.parse(table, parameters));
    switch (outcome) {
      case GatedReads.Outcome.Pending pending -> pending(response, pending, terms);
      case GatedReads.Outcome.Served served when path.key().isEmpty() ->
          write(response, 200, served, terms, page(served));
      case GatedReads.Outcome.Served served when served.rows().isEmpty() -> throw noSuchRow(served);
      case GatedReads.Outcome.Served served ->
          write(
              response,
              200,
              served,
              terms,
              served.rows().getFirst().getBytes(StandardCharsets.UTF_8));
    }
  }

  private static ProblemException noSuchRow(GatedReads.Outcome.Served served) {
    return Problem.of(
            ProblemKind.NO_SUCH_ROW, "No row with this key that you may see, as of the watermark.")
        .with("replicatedLsn", served.replicated().toString())
        .withHeader(REPLICATED, served.replicated().toString())
        .exception();
  }

  private static byte[] page(GatedReads.Outcome.Served served) {
    JsonObjectWriter body =
        new JsonObjectWriter()
            .raw("rows", "[" + String.join(",", served.rows()) + "]")
            .text("replicatedLsn", served.replicated())
            .text("next", served.next().map(Cursor::text).orElse(null));
    served.quarantined().ifPresent(keys -> body.raw("quarantined", keys));
    return body.bytes();
  }

  private static void pending(
      HttpServletResponse response, GatedReads.Outcome.Pending pending, ReadTerms terms)
      throws IOException {
    response.setHeader(
        "Retry-After", Integer.toString(Math.ceilDiv(pending.retryAfterMs(), 1_000)));
    write(
        response,
        202,
        pending,
        terms,
        new JsonObjectWriter()
            .text("status", "sync-pending")
            .text("requiredLsn", pending.required().orElse(null))
            .text("replicatedLsn", pending.replicated())
            .value("retryAfterMs", pending.retryAfterMs())
            .bytes());
  }

  private static void write(
      HttpServletResponse response,
      int status,
      GatedReads.Outcome outcome,
      ReadTerms terms,
      byte[] body)
      throws IOException {
    response.setStatus(status);
    response.setHeader(REPLICATED, outcome.replicated().toString());
    if (terms.preferred().isPresent()) {
      response.setHeader("Preference-Applied", "wait=" + terms.preferred().get().toSeconds());
    }
    response.setContentType("application/json");
    response.setContentLength(body.length);
    response.getOutputStream().write(body);
  }
}
