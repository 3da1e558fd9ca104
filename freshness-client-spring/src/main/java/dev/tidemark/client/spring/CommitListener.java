package dev.tidemark.client.spring;

import dev.tidemark.client.jdbc.OpenTransactionException;
import dev.tidemark.client.servlet.CommitRecorder;
import dev.tidemark.client.servlet.LateCommitException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

/**
 * Tells the request's recorder of each commit. Spring calls it when the commit has returned and the
 * connection is still bound to the thread, so the position is read on that connection: a second one
 * might never come from a pool that is used up. Read-only transactions and those outside of a
 * request are left alone. Thread-safe.
 */
final class CommitListener implements TransactionExecutionListener {

  private static final Log LOG = LogFactory.getLog(CommitListener.class);

  private final ObjectProvider<DataSource> dataSource;
  private final AtomicBoolean warned = new AtomicBoolean();

  CommitListener(ObjectProvider<DataSource> dataSource) {
    this.dataSource = dataSource;
  }

  @Override
  public void afterCommit(TransactionExecution transaction, @Nullable Throwable failure) {
    // A nested transaction that is not new has only released its savepoint.
    if (failure == null && transaction.isNewTransaction() && !transaction.isReadOnly()) {
      recorder().ifPresent(this::note);
    }
  }

  private static Optional<CommitRecorder> recorder() {
    return RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes request
        ? CommitRecorder.find(request.getRequest())
        : Optional.empty();
  }

  /** Throws nothing: whoever called commit() would take it for a failure of the commit. */
  private void note(CommitRecorder recorder) {
    try {
      DataSource source = dataSource.getObject();
      if (TransactionSynchronizationManager.getResource(source) instanceof ConnectionHolder bound) {
        recorder.committed(bound.getConnection());
      } else {
        recorder.committed(source);
      }
    } catch (OpenTransactionException e) {
      // Another resource's transaction was committed within one of the DataSource, which will be.
      LOG.debug("a transaction was committed while that of the DataSource is open", e);
    } catch (LateCommitException e) {
      if (warned.compareAndSet(false, true)) {
        LOG.warn(
            "callers of this service can miss a write: "
                + e.getMessage()
                + ". This is said once, and at debug level for each");
      }
      LOG.debug("a commit came too late for X-Tx-LSN", e);
    }
  }
}
