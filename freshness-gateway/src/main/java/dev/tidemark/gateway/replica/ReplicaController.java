package dev.tidemark.gateway.replica;

import dev.tidemark.gateway.GatewayStartException;
import dev.tidemark.gateway.auth.Access;
import dev.tidemark.gateway.auth.Caller;
import dev.tidemark.gateway.db.Database;
import dev.tidemark.gateway.db.SqlFailures;
import dev.tidemark.gateway.json.JsonObjectWriter;
import dev.tidemark.gateway.problem.Problem;
import dev.tidemark.gateway.problem.ProblemException;
import dev.tidemark.gateway.problem.ProblemKind;
import dev.tidemark.gateway.problem.ProblemResponses;
import jakarta.servlet.http.HttpServletRequest;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.Map;
import java.util.function.Function;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** {@code GET /api/replica/...}: rows of replica tables, behind the gate when one is asked for. */
@RestController
public final class ReplicaController {

  static final String REPLICATED = "X-Replicated-LSN";

  private final ReplicaCatalog catalog;
  private final GatedReads reads;
  private final Access access;
  private final Database replica;

  public ReplicaController(
      ReplicaCatalog catalog, GatedReads reads, Access access, Database replica) {
    this.catalog = catalog;
    this.reads = reads;
    this.access = access;
    this.replica = replica;
  }

  /** Rows by filters, a page at a time. */
  @GetMapping("/api/replica/{target}")
  public ResponseEntity<byte[]> list(
      @AuthenticationPrincipal Caller caller,
      @PathVariable String target,
      HttpServletRequest request)
      throws InterruptedException {
    Map<String, String[]> parameters = request.getParameterMap();
    Read read = read(caller, target, request, table -> ReadRequest.parse(table, parameters));
    ReadTerms terms = read.terms();
    return switch (read.outcome()) {
      case GatedReads.Outcome.Pending pending -> pending(pending, terms);
      case GatedReads.Outcome.Served served -> {
        JsonObjectWriter body =
            new JsonObjectWriter()
                .raw("rows", "[" + String.join(",", served.rows()) + "]")
                .text("replicatedLsn", served.replicated())
                .text("next", served.next().map(Cursor::text).orElse(null));
        served.quarantined().ifPresent(keys -> body.raw("quarantined", keys));
        yield ok(served, terms, body.bytes());
      }
    };
  }

  /** The one row with a key. */
  @GetMapping("/api/replica/{target}/{key}")
  public ResponseEntity<byte[]> row(
      @AuthenticationPrincipal Caller caller,
      @PathVariable String target,
      @PathVariable String key,
      HttpServletRequest request)
      throws InterruptedException {
    Read read = read(caller, target, request, table -> ReadRequest.ofKey(table, key));
    ReadTerms terms = read.terms();
    return switch (read.outcome()) {
      case GatedReads.Outcome.Pending pending -> pending(pending, terms);
      case GatedReads.Outcome.Served served when served.rows().isEmpty() ->
          ProblemResponses.entity(
              Problem.of(
                      ProblemKind.NO_SUCH_ROW,
                      "No row with this key that you may see, as of the watermark.")
                  .with("replicatedLsn", served.replicated().toString())
                  .withHeader(REPLICATED, served.replicated().toString()));
      case GatedReads.Outcome.Served served ->
          ok(served, terms, served.rows().getFirst().getBytes(StandardCharsets.UTF_8));
    };
  }

  private record Read(ReadTerms terms, GatedReads.Outcome outcome) {}

  private Read read(
      Caller caller,
      String target,
      HttpServletRequest http,
      Function<ReplicaTable, ReadRequest> parse)
      throws InterruptedException {
    long arrivedAt = System.nanoTime();
    access.requireRead(caller, table(target).route().permission());
    ReadTerms terms = ReadTerms.of(http, arrivedAt);
    return new Read(terms, outcome(caller, target, terms, parse));
  }

  private GatedReads.Outcome outcome(
      Caller caller, String target, ReadTerms terms, Function<ReplicaTable, ReadRequest> parse)
      throws InterruptedException {
    ReplicaTable table = table(target);
    ReadRequest request;
    try {
      request = parse.apply(table);
    } catch (ProblemException e) {
      if (e.problem().kind() != ProblemKind.UNKNOWN_COLUMN || !reload()) {
        throw e;
      }
      table = table(target);
      request = parse.apply(table);
    }
    try {
      return reads.read(table, request, caller.tenant(), terms);
    } catch (GatedReads.StaleCatalogException e) {
      reload();
      return again(target, parse, caller, terms);
    }
  }

  private GatedReads.Outcome again(
      String target, Function<ReplicaTable, ReadRequest> parse, Caller caller, ReadTerms terms)
      throws InterruptedException {
    ReplicaTable table = table(target);
    try {
      return reads.read(table, parse.apply(table), caller.tenant(), terms);
    } catch (GatedReads.StaleCatalogException e) {
      throw Problem.of(
              ProblemKind.REPLICA_NOT_READY,
              "The replica table is being changed. Try again, or read the source.")
          .exception();
    }
  }

  private ReplicaTable table(String target) {
    return catalog
        .table(target)
        .orElseThrow(
            () ->
                Problem.of(
                        ProblemKind.UNKNOWN_TARGET,
                        "No route of this pipeline writes a replica table of this name.")
                    .exception());
  }

  private boolean reload() {
    try {
      return catalog.reload();
    } catch (GatewayStartException e) {
      throw Problem.of(ProblemKind.REPLICA_NOT_READY, e.getMessage() + ".").exception();
    } catch (SQLException e) {
      throw SqlFailures.answer(replica, e);
    }
  }

  private static ResponseEntity<byte[]> ok(
      GatedReads.Outcome outcome, ReadTerms terms, byte[] body) {
    return answer(200, outcome, terms).body(body);
  }

  private static ResponseEntity<byte[]> pending(
      GatedReads.Outcome.Pending pending, ReadTerms terms) {
    return answer(202, pending, terms)
        .header("Retry-After", Integer.toString(Math.ceilDiv(pending.retryAfterMs(), 1_000)))
        .body(
            new JsonObjectWriter()
                .text("status", "sync-pending")
                .text("requiredLsn", pending.required().orElse(null))
                .text("replicatedLsn", pending.replicated())
                .value("retryAfterMs", pending.retryAfterMs())
                .bytes());
  }

  private static ResponseEntity.BodyBuilder answer(
      int status, GatedReads.Outcome outcome, ReadTerms terms) {
    ResponseEntity.BodyBuilder builder =
        ResponseEntity.status(status)
            .contentType(MediaType.APPLICATION_JSON)
            .header(REPLICATED, outcome.replicated().toString());
    terms
        .preferred()
        .ifPresent(wait -> builder.header("Preference-Applied", "wait=" + wait.toSeconds()));
    return builder;
  }
}
