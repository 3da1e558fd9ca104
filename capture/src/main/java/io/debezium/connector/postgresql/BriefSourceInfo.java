package io.debezium.connector.postgresql;

import io.debezium.config.CommonConnectorConfig;
import io.debezium.connector.AbstractSourceInfo;
import io.debezium.connector.SourceInfoStructMaker;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;

/**
 * Makes Debezium's source block of what is read of it: the table, and the transaction. The rest
 * costs much for each change: one field is JSON, and position and time are turned into texts and
 * statistics for JMX.
 *
 * <p>Named by the setting {@code sourceinfo.struct.maker}. It is in Debezium's package since only
 * there the values can be read (3.6.1).
 */
public final class BriefSourceInfo implements SourceInfoStructMaker<SourceInfo> {

  /**
   * Debezium looks for the next three, and takes null for not known; it marks the last row of a
   * snapshot.
   */
  private static final Schema SCHEMA =
      SchemaBuilder.struct()
          .name("io.debezium.connector.postgresql.Source")
          .field(AbstractSourceInfo.SCHEMA_NAME_KEY, Schema.STRING_SCHEMA)
          .field(AbstractSourceInfo.TABLE_NAME_KEY, Schema.STRING_SCHEMA)
          .field(SourceInfo.TXID_KEY, Schema.OPTIONAL_INT64_SCHEMA)
          .field(SourceInfo.LSN_KEY, Schema.OPTIONAL_INT64_SCHEMA)
          .field(SourceInfo.XMIN_KEY, Schema.OPTIONAL_INT64_SCHEMA)
          .field(AbstractSourceInfo.TIMESTAMP_KEY, Schema.OPTIONAL_INT64_SCHEMA)
          .field(AbstractSourceInfo.SNAPSHOT_KEY, Schema.OPTIONAL_STRING_SCHEMA)
          .build();

  /** For Debezium, which creates it by name. */
  public BriefSourceInfo() {}

  @Override
  public void init(String connector, String version, CommonConnectorConfig config) {}

  @Override
  public Schema schema() {
    return SCHEMA;
  }

  @Override
  public Struct struct(SourceInfo sourceInfo) {
    Struct block =
        new Struct(SCHEMA)
            .put(AbstractSourceInfo.SCHEMA_NAME_KEY, sourceInfo.schemaName())
            .put(AbstractSourceInfo.TABLE_NAME_KEY, sourceInfo.tableName());
    if (sourceInfo.txId() != null) {
      block.put(SourceInfo.TXID_KEY, sourceInfo.txId());
    }
    return block;
  }
}
