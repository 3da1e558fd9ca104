package io.debezium.embedded.async;

import io.debezium.engine.DebeziumEngine;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.kafka.connect.source.SourceRecord;
import org.jspecify.annotations.Nullable;

/**
 * Takes the place of Debezium's class of this name, which hands every single record to another
 * thread and waits for it, to be transformed and wrapped. There are no transformations here, and
 * wrapping is one allocation: it is done in the thread that polls.
 *
 * <p>It works since capture's own classes stand first on the class path. The decision and what
 * would change it: {@code docs/decisions/0015-what-debezium-is-spared.md}.
 *
 * @param <R> what the handler takes
 */
public final class ParallelSmtAndConvertBatchProcessor<R> extends AbstractRecordProcessor<R> {

  private final Function<SourceRecord, R> converter;
  private final BatchProcessor<R> handler;

  private ParallelSmtAndConvertBatchProcessor(
      Function<SourceRecord, R> converter, BatchProcessor<R> handler) {
    this.converter = converter;
    this.handler = handler;
  }

  @Override
  public void processRecords(List<SourceRecord> records) throws Exception {
    List<R> converted = new ArrayList<>(records.size());
    for (SourceRecord polled : records) {
      SourceRecord transformed = transformations.transform(polled);
      if (transformed != null) {
        converted.add(converter.apply(transformed));
      }
    }
    handler.process(converted);
  }

  /** Called by Debezium 3.6.1. */
  public static <R> ParallelSmtAndConvertBatchProcessor<R> create(
      DebeziumEngine.RecordCommitter<R> committer,
      Function<SourceRecord, R> converter,
      DebeziumEngine.ChangeConsumer<R> handler,
      Watcher watcher,
      DebeziumEngine.@Nullable Shutdown<R> shutdown,
      Runnable runner,
      Map<String, String> configuration) {
    if (shutdown != null) {
      throw new IllegalStateException("the engine of capture is not told when to shut down");
    }
    return new ParallelSmtAndConvertBatchProcessor<>(
        converter, new BatchProcessor.DirectProcessor<>(committer, handler));
  }
}
