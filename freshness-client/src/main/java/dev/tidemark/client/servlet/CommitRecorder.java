package dev.tidemark.client.servlet;

import dev.tidemark.client.FreshnessHeaders;
import dev.tidemark.client.Position;
import dev.tidemark.client.Token;
import dev.tidemark.client.jdbc.TxPosition;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The commits of one request. A service says after each of its commits
 *
 * <pre>{@code CommitRecorder.of(request).committed(dataSource);}</pre>
 *
 * and the answer has {@code X-Tx-LSN} from then on: the largest position of all its commits. A
 * request in which nothing is said gets no token.
 *
 * <p>When the position cannot be read, the header says {@code latest}: sent back as {@code
 * X-Required-LSN} it demands more than the write, never less. It stays so for this request, since
 * no later position would be known to cover that commit.
 *
 * <p>Thread-safe: an asynchronous request may commit on any thread, until it is complete.
 */
public final class CommitRecorder {

  private static final System.Logger LOG = System.getLogger(CommitRecorder.class.getName());
  private static final String ATTRIBUTE = CommitRecorder.class.getName();

  private final Optional<String> generation;

  /** Null when the request is over. Guarded by this. */
  private @Nullable HttpServletResponse response;

  /** The largest so far. Guarded by this. */
  private @Nullable Position position;

  /** Whether the position of some commit could not be read. Guarded by this. */
  private boolean unknown;

  CommitRecorder(HttpServletResponse response, Optional<String> generation) {
    this.response = response;
    this.generation = generation;
  }

  /**
   * The request's recorder.
   *
   * @throws IllegalStateException when the request did not come through a {@link FreshnessFilter}
   */
  public static CommitRecorder of(ServletRequest request) {
    return find(request)
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "this request did not come through FreshnessFilter: map the filter to its path,"
                        + " before the servlet that commits"));
  }

  /** The request's recorder; empty when it did not come through a {@link FreshnessFilter}. */
  public static Optional<CommitRecorder> find(ServletRequest request) {
    return request.getAttribute(ATTRIBUTE) instanceof CommitRecorder recorder
        ? Optional.of(recorder)
        : Optional.empty();
  }

  /** Makes this the request's recorder. */
  void bind(ServletRequest request) {
    request.setAttribute(ATTRIBUTE, this);
  }

  /**
   * Notes a commit, after it. Takes a connection of its own for the position: from a pool with one
   * connection only, give back the one that committed first.
   *
   * @throws LateCommitException when the answer's headers are gone
   * @throws dev.tidemark.client.jdbc.OpenTransactionException when the source's connection is in a
   *     transaction
   */
  public void committed(DataSource source) {
    noteRead(() -> TxPosition.afterCommit(source));
  }

  /**
   * Notes a commit, after it, and reads the position on the connection that committed.
   *
   * @param connection see {@link TxPosition#afterCommit(Connection)}
   * @throws LateCommitException when the answer's headers are gone
   * @throws dev.tidemark.client.jdbc.OpenTransactionException when a transaction is open
   */
  public void committed(Connection connection) {
    noteRead(() -> TxPosition.afterCommit(connection));
  }

  /**
   * Notes a commit whose position is known.
   *
   * @param commit at or after the end of the commit, and read after it
   * @throws LateCommitException when the answer's headers are gone
   */
  public synchronized void committed(Position commit) {
    position = position == null ? commit : position.max(commit);
    tell(Optional.of(new Token(commit, generation)));
  }

  /** The token so far; empty when nothing was committed, or when a position is not known. */
  public synchronized Optional<Token> token() {
    return unknown || position == null
        ? Optional.empty()
        : Optional.of(new Token(position, generation));
  }

  private interface PositionQuery {
    Position read() throws SQLException;
  }

  private void noteRead(PositionQuery query) {
    Position read;
    try {
      read = query.read();
    } catch (SQLException e) {
      // The write is committed: an exception from here would make it look as if it had failed.
      LOG.log(
          Level.WARNING,
          "a write was committed, but its position could not be read (SQLSTATE {0}); X-Tx-LSN of"
              + " this answer is `latest`",
          e.getSQLState());
      noteUnknown();
      return;
    }
    committed(read);
  }

  private synchronized void noteUnknown() {
    unknown = true;
    tell(Optional.empty());
  }

  private void tell(Optional<Token> late) {
    if (response == null) {
      throw new LateCommitException("the request was over when a transaction committed", late);
    }
    if (response.isCommitted()) {
      throw new LateCommitException(
          "the answer's headers were sent before a transaction committed", late);
    }
    writeHeaders();
  }

  /** Sets the headers, also again after somebody has reset the answer. */
  synchronized void writeHeaders() {
    if (response != null && hasCommits()) {
      response.setHeader(
          FreshnessHeaders.TX_LSN, unknown ? FreshnessHeaders.LATEST : String.valueOf(position));
      if (generation.isPresent()) {
        response.setHeader(FreshnessHeaders.TX_GENERATION, generation.get());
      }
    }
  }

  synchronized boolean hasCommits() {
    return unknown || position != null;
  }

  synchronized boolean isOpen() {
    return response != null;
  }

  /** Lets go of the response, which the container will use for another request. */
  synchronized void close() {
    response = null;
  }

  /** Takes the request up again, for its error page; what was committed before stays noted. */
  synchronized void reopen(HttpServletResponse next) {
    response = next;
  }
}
