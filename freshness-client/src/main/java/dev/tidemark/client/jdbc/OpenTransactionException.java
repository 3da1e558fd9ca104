package dev.tidemark.client.jdbc;

/**
 * A position was asked for before the transaction was over. It would lie before the commit, so a
 * read that demands it could miss the write.
 */
public final class OpenTransactionException extends IllegalStateException {

  private static final long serialVersionUID = 1;

  OpenTransactionException(String message) {
    super(message);
  }
}
