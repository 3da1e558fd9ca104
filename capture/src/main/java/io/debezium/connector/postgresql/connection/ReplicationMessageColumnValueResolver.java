package io.debezium.connector.postgresql.connection;

import io.debezium.connector.postgresql.PostgresStreamingChangeEventSource.PgConnectionSupplier;
import io.debezium.connector.postgresql.PostgresType;
import io.debezium.connector.postgresql.TypeRegistry;
import io.debezium.connector.postgresql.connection.ReplicationMessage.ColumnValue;

/**
 * Takes the place of Debezium's class of this name, which turns PostgreSQL's texts into Java values
 * and loses some on the way: the offset of {@code timetz}, {@code 24:00}, dates before year 1,
 * infinity beside the largest date, parts of {@code interval}. Here a value stays the text that
 * pgoutput sent, for every type.
 *
 * <p>It works since capture's own classes stand before Debezium's on the class path; {@code
 * dev.tidemark.capture.engine.EngineSettings} refuses to start where they do not. The decision and
 * what would change it: {@code docs/decisions/0003-values-stay-text.md}.
 */
public final class ReplicationMessageColumnValueResolver {

  private ReplicationMessageColumnValueResolver() {}

  /** Called by Debezium 3.6.1 for every column that pgoutput sent a text for. */
  public static Object resolveValue(
      String columnName,
      PostgresType type,
      String fullType,
      ColumnValue<?> value,
      PgConnectionSupplier connection,
      boolean includeUnknownDatatypes,
      TypeRegistry typeRegistry) {
    return value.isNull() ? null : value.asString();
  }
}
