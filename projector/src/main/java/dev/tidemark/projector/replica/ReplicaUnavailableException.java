package dev.tidemark.projector.replica;

import java.sql.SQLException;

/** The replica database cannot be used at the moment. Trying again later helps. */
public final class ReplicaUnavailableException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  ReplicaUnavailableException(int partition, SQLException cause) {
    super(
        "the replica database does not take partition " + partition + ": " + cause.getMessage(),
        cause);
  }
}
