package dev.tidemark.gateway.replica;

import dev.tidemark.gateway.GatewayStartException;
import dev.tidemark.gateway.auth.Access;
import dev.tidemark.gateway.auth.Caller;
import dev.tidemark.gateway.db.Database;
import dev.tidemark.gateway.db.SqlFailures;
import dev.tidemark.gateway.problem.Problem;
import dev.tidemark.gateway.problem.ProblemException;
import dev.tidemark.gateway.problem.ProblemKind;
import java.sql.SQLException;
import java.util.function.Function;

/** Reads of replica tables by those who may, also while a table gets other columns. Thread-safe. */
public final class ReplicaReads {

  private final ReplicaCatalog catalog;
  private final GatedReads reads;
  private final Access access;
  private final Database replica;

  public ReplicaReads(ReplicaCatalog catalog, GatedReads reads, Access access, Database replica) {
    this.catalog = catalog;
    this.reads = reads;
    this.access = access;
    this.replica = replica;
  }

  /**
   * Refuses a caller who may not read the table.
   *
   * @throws ProblemException also when there is no such table
   */
  void requireRead(Caller caller, String target) {
    access.requireRead(caller, table(target).route().permission());
  }

  /**
   * Reads.
   *
   * @param parse makes the request for the table as it is now
   * @throws ProblemException when the read ends in neither rows nor "pending"
   */
  GatedReads.Outcome read(
      Caller caller,
      String target,
      ReadTerms terms,
      Client client,
      Function<ReplicaTable, ReadRequest> parse)
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
      return reads.read(table, request, caller.tenant(), terms, client);
    } catch (GatedReads.StaleCatalogException e) {
      reload();
      return again(target, parse, caller, terms, client);
    }
  }

  private GatedReads.Outcome again(
      String target,
      Function<ReplicaTable, ReadRequest> parse,
      Caller caller,
      ReadTerms terms,
      Client client)
      throws InterruptedException {
    ReplicaTable table = table(target);
    try {
      return reads.read(table, parse.apply(table), caller.tenant(), terms, client);
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
}
