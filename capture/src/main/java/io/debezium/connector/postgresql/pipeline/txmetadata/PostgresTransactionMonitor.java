package io.debezium.connector.postgresql.pipeline.txmetadata;

import io.debezium.config.CommonConnectorConfig;
import io.debezium.connector.postgresql.PostgresOffsetContext;
import io.debezium.function.BlockingConsumer;
import io.debezium.pipeline.source.spi.EventMetadataProvider;
import io.debezium.pipeline.spi.OffsetContext;
import io.debezium.pipeline.spi.Partition;
import io.debezium.pipeline.txmetadata.TransactionMonitor;
import io.debezium.schema.SchemaNameAdjuster;
import io.debezium.spi.schema.DataCollectionId;
import java.time.Instant;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;

/**
 * Takes the place of Debezium's class of this name. It tells where transactions begin and end, as
 * Debezium's does, and does not add to every row its place in the transaction, which is counted in
 * {@code dev.tidemark.capture.engine.EventReader} anyway.
 *
 * <p>It works since capture's own classes stand first on the class path. The decision and what
 * would change it: {@code docs/decisions/0015-what-debezium-is-spared.md}.
 */
public final class PostgresTransactionMonitor extends TransactionMonitor {

  /** Called by Debezium 3.6.1. */
  public PostgresTransactionMonitor(
      CommonConnectorConfig connectorConfig,
      EventMetadataProvider eventMetadataProvider,
      SchemaNameAdjuster schemaNameAdjuster,
      BlockingConsumer<SourceRecord> sender,
      String topicName) {
    super(connectorConfig, eventMetadataProvider, schemaNameAdjuster, sender, topicName);
  }

  @Override
  public void dataEvent(
      Partition partition,
      DataCollectionId source,
      OffsetContext offset,
      Object key,
      Struct value) {
    // PostgreSQL says where transactions begin and end.
  }

  @Override
  protected Struct prepareTxKey(OffsetContext offset) {
    return named(new Struct(transactionKeySchema), offset);
  }

  @Override
  protected Struct prepareTxBeginValue(OffsetContext offset, Instant timestamp) {
    return named(super.prepareTxBeginValue(offset, timestamp), offset);
  }

  @Override
  protected Struct prepareTxEndValue(OffsetContext offset, Instant timestamp) {
    return named(super.prepareTxEndValue(offset, timestamp), offset);
  }

  private Struct named(Struct block, OffsetContext offset) {
    long lsn = ((PostgresOffsetContext) offset).asOffsetState().lastSeenLsn().asLong();
    String xid = offset.getTransactionContext().getTransactionId();
    return block.put(DEBEZIUM_TRANSACTION_ID_KEY, xid + ":" + lsn);
  }
}
