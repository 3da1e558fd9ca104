package dev.tidemark.client.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Whether a connection is in a transaction. JDBC cannot say so for manual-commit mode, nor after a
 * literal BEGIN; pgjdbc keeps what the server reports after each statement ({@code
 * BaseConnection.getTransactionState()}, seen in 42.7). It is called by reflection, so that it need
 * not be there.
 */
final class TransactionState {

  private static final String PGJDBC = "org.postgresql.core.BaseConnection";

  private TransactionState() {}

  /** Throws unless no transaction is open. */
  static void requireNone(Connection connection) throws SQLException {
    Optional<String> state = ofPgjdbc(connection);
    if (state.isPresent()) {
      if (!state.get().equals("IDLE")) {
        throw new OpenTransactionException(
            "a transaction is open on this connection, so its commit is still to come and would lie"
                + " after this position: ask for the position after commit() or after the"
                + " transactional method has returned");
      }
    } else if (!connection.getAutoCommit()) {
      throw new OpenTransactionException(
          "this connection is in manual-commit mode, and its driver ("
              + connection.getMetaData().getDriverName()
              + ") does not tell whether a transaction is open: call setAutoCommit(true) after"
              + " commit() and before this, or hand in the DataSource");
    }
  }

  private static Optional<String> ofPgjdbc(Connection connection) throws SQLException {
    Class<?> type = pgjdbc(connection);
    if (type == null || !connection.isWrapperFor(type)) {
      return Optional.empty();
    }
    try {
      Method method = type.getMethod("getTransactionState");
      return Optional.of(String.valueOf(method.invoke(connection.unwrap(type))));
    } catch (InvocationTargetException e) {
      throw new SQLException("pgjdbc did not tell the state of its transaction", e.getCause());
    } catch (NoSuchMethodException | IllegalAccessException e) {
      return Optional.empty();
    }
  }

  /** Pools and containers keep drivers in class loaders of their own. */
  private static @Nullable Class<?> pgjdbc(Connection connection) throws SQLException {
    for (ClassLoader loader :
        new @Nullable ClassLoader[] {
          connection.getMetaData().getClass().getClassLoader(),
          Thread.currentThread().getContextClassLoader(),
          TransactionState.class.getClassLoader()
        }) {
      try {
        return Class.forName(PGJDBC, false, loader);
      } catch (ClassNotFoundException e) {
        // the next one may know it
      }
    }
    return null;
  }
}
