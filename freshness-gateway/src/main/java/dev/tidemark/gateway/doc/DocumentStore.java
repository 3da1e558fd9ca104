package dev.tidemark.gateway.doc;

import dev.tidemark.gateway.db.Database;
import dev.tidemark.gateway.db.SqlFailures;
import dev.tidemark.gateway.problem.Problem;
import dev.tidemark.gateway.problem.ProblemException;
import dev.tidemark.gateway.problem.ProblemKind;
import dev.tidemark.gateway.sync.SourcePosition;
import dev.tidemark.topics.Lsn;
import dev.tidemark.topics.route.TableName;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Documents in the source database, each call one transaction under the caller's tenant. Positions
 * are taken after the commit, on the same connection; a position from inside the transaction could
 * lie before it. Thread-safe.
 */
public final class DocumentStore {

  private static final Logger LOG = LoggerFactory.getLogger(DocumentStore.class);

  private final Database source;
  private final SourcePosition position;
  private final DocumentSql sql;

  public DocumentStore(Database source, SourcePosition position, TableName table) {
    this.source = source;
    this.position = position;
    this.sql = new DocumentSql(table);
  }

  /**
   * A write that is committed.
   *
   * @param document as it is stored; empty after a deletion
   * @param created whether it did not exist before
   * @param position at or after the end of the commit
   */
  public record Written(Optional<StoredDocument> document, boolean created, Lsn position) {}

  private record Change(Optional<StoredDocument> document, boolean created) {}

  /** Work in a transaction; empty when the document does not exist. */
  @FunctionalInterface
  private interface Transaction {
    Optional<Change> run(Connection connection) throws SQLException;
  }

  /** The document; empty when there is none that the tenant may see. */
  public Optional<StoredDocument> find(String tenant, DocumentName name) {
    try {
      return source.call(connection -> sql.find(connection, tenant, name));
    } catch (SQLException e) {
      throw SqlFailures.answer(source, e);
    }
  }

  /** Creates or replaces. */
  public Written put(String tenant, DocumentName name, String json, Precondition precondition) {
    if (!precondition.conditional()) {
      return write(
          connection -> {
            DocumentSql.Upserted upserted = sql.upsert(connection, tenant, name, json);
            return Optional.of(new Change(Optional.of(upserted.document()), upserted.created()));
          });
    }
    return write(
        explicit(
            connection -> {
              Optional<StoredDocument> current = sql.lock(connection, tenant, name);
              precondition.require(current);
              StoredDocument stored =
                  current.isPresent()
                      ? sql.update(connection, tenant, name, json)
                      : sql.insert(connection, tenant, name, json)
                          .orElseThrow(Precondition::failed);
              return Optional.of(new Change(Optional.of(stored), current.isEmpty()));
            }));
  }

  /**
   * Changes a document while its row is locked.
   *
   * @param change from the present document to the next
   */
  public Written change(
      String tenant, DocumentName name, UnaryOperator<String> change, Precondition precondition) {
    return write(
        explicit(
            connection -> {
              Optional<StoredDocument> current = sql.lock(connection, tenant, name);
              if (current.isEmpty()) {
                return Optional.empty();
              }
              precondition.require(current);
              String next = change.apply(current.get().json());
              return Optional.of(
                  new Change(Optional.of(sql.update(connection, tenant, name, next)), false));
            }));
  }

  /** Deletes. */
  public Written delete(String tenant, DocumentName name, Precondition precondition) {
    return write(
        explicit(
            connection -> {
              Optional<StoredDocument> current = sql.lock(connection, tenant, name);
              if (current.isEmpty()) {
                return Optional.empty();
              }
              precondition.require(current);
              sql.delete(connection, tenant, name);
              return Optional.of(new Change(Optional.empty(), false));
            }));
  }

  /** The answer when there is no such document for the tenant. */
  public static ProblemException missing() {
    return Problem.of(
            ProblemKind.NO_SUCH_DOCUMENT, "No document of this type and name that you may see.")
        .exception();
  }

  private Written write(Transaction transaction) {
    try {
      return source.call(
          connection -> {
            Change change = transaction.run(connection).orElseThrow(DocumentStore::missing);
            return new Written(change.document(), change.created(), positionOf(connection));
          });
    } catch (SQLException e) {
      throw refusal(e);
    }
  }

  private static Transaction explicit(Transaction work) {
    return connection -> {
      connection.setAutoCommit(false);
      try {
        Optional<Change> change = work.run(connection);
        connection.commit();
        return change;
      } catch (SQLException | RuntimeException e) {
        rollback(connection, e);
        throw e;
      } finally {
        if (!connection.isClosed()) {
          connection.setAutoCommit(true);
        }
      }
    };
  }

  private static void rollback(Connection connection, Exception failure) {
    try {
      connection.rollback();
    } catch (SQLException e) {
      failure.addSuppressed(e);
    }
  }

  /** The transaction is over; whatever fails here must not look as if the write had failed. */
  private Lsn positionOf(Connection connection) {
    try {
      return position.now(connection);
    } catch (SQLException first) {
      try {
        return position.now();
      } catch (SQLException second) {
        LOG.atWarn()
            .addKeyValue("sqlState", SqlFailures.state(second))
            .log("a write was committed, but the source's position could not be read after it");
        throw Problem.of(
                ProblemKind.POSITION_UNKNOWN,
                "The write is committed; do not repeat it. Its position could not be read: use"
                    + " X-Required-LSN: latest for reads that must see it.")
            .exception();
      }
    }
  }

  private ProblemException refusal(SQLException failure) {
    String state = SqlFailures.state(failure);
    if (state.equals("22P02")) {
      return Problem.of(
              ProblemKind.BAD_BODY,
              "The body is not valid JSON, or holds half of a surrogate pair as an escape.")
          .exception();
    }
    if (state.startsWith("22") || state.startsWith("54")) {
      return Problem.of(
              ProblemKind.BODY_NOT_STORABLE,
              "PostgreSQL's jsonb can't hold this document: it has an escaped NUL, a number beyond"
                  + " its range, too deep a nesting, or a name too long for the index.")
          .exception();
    }
    return SqlFailures.answer(source, failure);
  }
}
