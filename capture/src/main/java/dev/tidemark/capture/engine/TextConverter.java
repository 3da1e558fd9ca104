package dev.tidemark.capture.engine;

import dev.tidemark.topics.log.Tuple;
import io.debezium.connector.postgresql.UnchangedToastedReplicationMessageColumn;
import io.debezium.spi.converter.CustomConverter;
import io.debezium.spi.converter.RelationalColumn;
import java.util.Properties;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.jspecify.annotations.Nullable;

/**
 * Keeps every column's value as the text that PostgreSQL itself prints, in the stream and in the
 * snapshot alike.
 *
 * <p>Debezium creates it by name for every column of every captured table. The stream hands it
 * texts since {@code ReplicationMessageColumnValueResolver} does no conversion here, and the
 * snapshot since {@link TextSnapshotQuery} selects texts. A value that an update left out ({@code
 * UNCHANGED_TOAST_VALUE} and its siblings, Debezium 3.6.1) becomes {@link Tuple#UNCHANGED} itself,
 * which is told by identity, so that no user's text can be taken for it.
 */
public final class TextConverter implements CustomConverter<SchemaBuilder, RelationalColumn> {

  /** The schema parameter that holds PostgreSQL's name of the column's type. */
  static final String TYPE_PARAMETER = "postgresql.type";

  /** For Debezium. */
  public TextConverter() {}

  @Override
  public void configure(Properties properties) {}

  @Override
  public void converterFor(
      RelationalColumn column, ConverterRegistration<SchemaBuilder> registration) {
    SchemaBuilder schema = SchemaBuilder.string().parameter(TYPE_PARAMETER, type(column));
    if (!column.isOptional()) {
      // A deleted row comes with its key alone. Debezium itself marks the columns that are optional
      // in the table.
      schema.optional();
    }
    registration.register(schema, TextConverter::convert);
  }

  /**
   * The snapshot's metadata call a column with a sequence by the word of its definition (3.6.1).
   */
  private static String type(RelationalColumn column) {
    return switch (column.typeName()) {
      case "smallserial" -> "int2";
      case "serial" -> "int4";
      case "bigserial" -> "int8";
      case String name -> name;
    };
  }

  private static @Nullable Object convert(@Nullable Object value) {
    if (value == null || value instanceof String) {
      return value;
    }
    if (UnchangedToastedReplicationMessageColumn.isUnchangedToastedValue(value)) {
      return Tuple.UNCHANGED;
    }
    // What is left are defaults of columns, which Debezium parses for schemas; nobody reads them.
    return null;
  }
}
