package dev.tidemark.gateway.doc;

import dev.tidemark.topics.route.TableName;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;

/**
 * The statements on the document table. Each first binds the tenant for its transaction. Those that
 * are a transaction of their own bind it in their first row source, which the rest depends on (see
 * {@code ReadSql} for why that order holds); those that follow a lock are bound by it.
 */
final class DocumentSql {

  private static final String BOUND =
      "(select pg_catalog.set_config('tidemark.tenant', ?, true) as tenant offset 0) b";
  private static final String BIND = "select pg_catalog.set_config('tidemark.tenant', ?, true)";
  private static final String KEY = " where tenant_id = ? and doctype = ? and name = ?";
  private static final String RESULT =
      "data::text, version, (extract(epoch from created_at) * 1000000)::bigint";

  private final String find;
  private final String lock;
  private final String upsert;
  private final String insert;
  private final String update;
  private final String delete;

  DocumentSql(TableName table) {
    String name = table.sql();
    String insertInto =
        "insert into "
            + name
            + " as d (tenant_id, doctype, name, data, version, created_at, updated_at)"
            + " select b.tenant, ?::text, ?::text, ?::jsonb, 1, now(), now() from "
            + BOUND
            + " on conflict (tenant_id, doctype, name) do ";
    find =
        "select r.* from "
            + BOUND
            + " cross join lateral (select "
            + RESULT
            + " from "
            + name
            + " where tenant_id = b.tenant and doctype = ? and name = ? limit 1) r";
    lock = "select " + RESULT + " from " + name + KEY + " for update";
    // xmax is 0 in a row that this command inserted, and not in one that it locked and updated.
    upsert =
        insertInto
            + "update set data = excluded.data, version = d.version + 1, updated_at = now() returning "
            + RESULT
            + ", xmax = 0";
    insert = insertInto + "nothing returning " + RESULT;
    update =
        "update "
            + name
            + " set data = ?::jsonb, version = version + 1, updated_at = now()"
            + KEY
            + " returning "
            + RESULT;
    delete = "delete from " + name + KEY + " returning " + RESULT;
  }

  /** What an upsert did. */
  record Upserted(StoredDocument document, boolean created) {}

  /** One transaction of its own. */
  Optional<StoredDocument> find(Connection connection, String tenant, DocumentName name)
      throws SQLException {
    return one(connection, find, tenant, name.doctype(), name.name());
  }

  /** Binds the tenant for the transaction that is open, and locks the row. */
  Optional<StoredDocument> lock(Connection connection, String tenant, DocumentName name)
      throws SQLException {
    try (PreparedStatement statement = prepare(connection, BIND, tenant)) {
      statement.execute();
    }
    return one(connection, lock, tenant, name.doctype(), name.name());
  }

  /** One transaction of its own. */
  Upserted upsert(Connection connection, String tenant, DocumentName name, String json)
      throws SQLException {
    try (PreparedStatement statement =
            prepare(connection, upsert, name.doctype(), name.name(), json, tenant);
        ResultSet row = statement.executeQuery()) {
      row.next();
      return new Upserted(document(row), row.getBoolean(4));
    }
  }

  /** Empty when somebody else has inserted it meanwhile. */
  Optional<StoredDocument> insert(
      Connection connection, String tenant, DocumentName name, String json) throws SQLException {
    return one(connection, insert, name.doctype(), name.name(), json, tenant);
  }

  /** After {@link #lock}. */
  StoredDocument update(Connection connection, String tenant, DocumentName name, String json)
      throws SQLException {
    return one(connection, update, json, tenant, name.doctype(), name.name())
        .orElseThrow(() -> new SQLException("a row that is locked could not be updated"));
  }

  /** After {@link #lock}. */
  void delete(Connection connection, String tenant, DocumentName name) throws SQLException {
    if (one(connection, delete, tenant, name.doctype(), name.name()).isEmpty()) {
      throw new SQLException("a row that is locked could not be deleted");
    }
  }

  private static Optional<StoredDocument> one(
      Connection connection, String sql, String... parameters) throws SQLException {
    try (PreparedStatement statement = prepare(connection, sql, parameters);
        ResultSet row = statement.executeQuery()) {
      return row.next() ? Optional.of(document(row)) : Optional.empty();
    }
  }

  private static PreparedStatement prepare(Connection connection, String sql, String... parameters)
      throws SQLException {
    PreparedStatement statement = connection.prepareStatement(sql);
    for (int i = 0; i < parameters.length; i++) {
      statement.setString(i + 1, parameters[i]);
    }
    return statement;
  }

  private static StoredDocument document(ResultSet row) throws SQLException {
    return new StoredDocument(row.getString(1), row.getLong(2), row.getLong(3));
  }
}
