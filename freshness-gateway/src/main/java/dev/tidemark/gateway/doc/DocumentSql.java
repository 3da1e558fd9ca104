package dev.tidemark.gateway.doc;

import dev.tidemark.topics.route.TableName;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;

/**
 * The statements on the document table. Each first binds the tenant for its transaction, in the
 * same round trip; outside an explicit transaction the two are one implicit one.
 */
final class DocumentSql {

  private static final String BIND = "select pg_catalog.set_config('tidemark.tenant', ?, true);\n";
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
        BIND
            + "insert into "
            + name
            + " as d (tenant_id, doctype, name, data, version, created_at, updated_at)"
            + " values (?, ?, ?, ?::jsonb, 1, now(), now()) on conflict (tenant_id, doctype, name) do ";
    find = BIND + "select " + RESULT + " from " + name + KEY;
    lock = find + " for update";
    // xmax is 0 in a row that this command inserted, and not in one that it locked and updated.
    upsert =
        insertInto
            + "update set data = excluded.data, version = d.version + 1, updated_at = now() returning "
            + RESULT
            + ", xmax = 0";
    insert = insertInto + "nothing returning " + RESULT;
    update =
        BIND
            + "update "
            + name
            + " set data = ?::jsonb, version = version + 1, updated_at = now()"
            + KEY
            + " returning "
            + RESULT;
    delete = BIND + "delete from " + name + KEY + " returning " + RESULT;
  }

  /** What an upsert did. */
  record Upserted(StoredDocument document, boolean created) {}

  Optional<StoredDocument> find(Connection connection, String tenant, DocumentName name)
      throws SQLException {
    return one(connection, find, tenant, tenant, name.doctype(), name.name());
  }

  Optional<StoredDocument> lock(Connection connection, String tenant, DocumentName name)
      throws SQLException {
    return one(connection, lock, tenant, tenant, name.doctype(), name.name());
  }

  Upserted upsert(Connection connection, String tenant, DocumentName name, String json)
      throws SQLException {
    try (PreparedStatement statement =
            prepare(connection, upsert, tenant, tenant, name.doctype(), name.name(), json);
        ResultSet row = second(statement)) {
      row.next();
      return new Upserted(document(row), row.getBoolean(4));
    }
  }

  Optional<StoredDocument> insert(
      Connection connection, String tenant, DocumentName name, String json) throws SQLException {
    return one(connection, insert, tenant, tenant, name.doctype(), name.name(), json);
  }

  StoredDocument update(Connection connection, String tenant, DocumentName name, String json)
      throws SQLException {
    return one(connection, update, tenant, json, tenant, name.doctype(), name.name())
        .orElseThrow(() -> new SQLException("a row that is locked could not be updated"));
  }

  void delete(Connection connection, String tenant, DocumentName name) throws SQLException {
    if (one(connection, delete, tenant, tenant, name.doctype(), name.name()).isEmpty()) {
      throw new SQLException("a row that is locked could not be deleted");
    }
  }

  private static Optional<StoredDocument> one(
      Connection connection, String sql, String... parameters) throws SQLException {
    try (PreparedStatement statement = prepare(connection, sql, parameters);
        ResultSet row = second(statement)) {
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

  private static ResultSet second(PreparedStatement statement) throws SQLException {
    statement.execute();
    if (!statement.getMoreResults()) {
      throw new SQLException("the second of two statements gave no result");
    }
    return statement.getResultSet();
  }

  private static StoredDocument document(ResultSet row) throws SQLException {
    return new StoredDocument(row.getString(1), row.getLong(2), row.getLong(3));
  }
}
