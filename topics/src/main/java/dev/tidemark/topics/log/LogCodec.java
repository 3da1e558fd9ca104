package dev.tidemark.topics.log;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.tidemark.topics.Generation;
import dev.tidemark.topics.Lsn;
import dev.tidemark.topics.log.Change.Operation;
import dev.tidemark.topics.log.wire.ChangeMessage;
import dev.tidemark.topics.log.wire.GenerationStartMessage;
import dev.tidemark.topics.log.wire.LogRecordMessage;
import dev.tidemark.topics.log.wire.OperationMessage;
import dev.tidemark.topics.log.wire.ProgressMessage;
import dev.tidemark.topics.log.wire.RelationMessage;
import dev.tidemark.topics.log.wire.RowsMessage;
import dev.tidemark.topics.log.wire.SnapshotCompleteMessage;
import dev.tidemark.topics.log.wire.SnapshotRowsMessage;
import dev.tidemark.topics.log.wire.TransactionPartMessage;
import dev.tidemark.topics.log.wire.TupleMessage;
import dev.tidemark.topics.route.TableName;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of log records: Protocol Buffers, after {@code log.proto} in this module. Thread-safe;
 * holds no state.
 */
public final class LogCodec {

  private static final byte NULL = 'n';
  private static final byte TEXT = 't';
  private static final byte UNCHANGED = 'u';

  private LogCodec() {}

  /** The record's bytes. */
  public static byte[] encode(LogRecord logRecord) {
    LogRecordMessage.Builder message =
        LogRecordMessage.newBuilder().setGeneration(logRecord.generation());
    switch (logRecord) {
      case LogRecord.GenerationStart start ->
          message.setGenerationStart(
              GenerationStartMessage.newBuilder().setHistory(start.started().history()));
      case LogRecord.SnapshotRows rows ->
          message.setSnapshotRows(
              SnapshotRowsMessage.newBuilder()
                  .setLsn(rows.lsn().value())
                  .setRows(rows(rows.changes())));
      case LogRecord.SnapshotComplete complete ->
          message.setSnapshotComplete(
              SnapshotCompleteMessage.newBuilder()
                  .setLsn(complete.lsn().value())
                  .putAllRoutes(complete.routes()));
      case LogRecord.TransactionPart part -> {
        TransactionPartMessage.Builder builder =
            TransactionPartMessage.newBuilder()
                .setRun(part.run())
                .setAfter(part.after().value())
                .setXid((int) part.xid())
                .setPart(part.part())
                .setCommitMicros(micros(part.commitTime()))
                .setRows(rows(part.changes()));
        part.commitLsn().ifPresent(lsn -> builder.setCommitLsn(lsn.value()));
        message.setTransactionPart(builder);
      }
      case LogRecord.Progress progress ->
          message.setProgress(
              ProgressMessage.newBuilder()
                  .setLsn(progress.lsn().value())
                  .setAfter(progress.after().value())
                  .setSourceMicros(micros(progress.sourceTime())));
    }
    return message.build().toByteArray();
  }

  /**
   * The record that the bytes stand for.
   *
   * @throws LogFormatException when they are not a record of this log, or one of a kind that this
   *     version does not know
   */
  public static LogRecord decode(byte[] bytes) {
    LogRecordMessage message;
    try {
      message = LogRecordMessage.parseFrom(bytes);
    } catch (InvalidProtocolBufferException e) {
      throw new LogFormatException("the record is not in the log's format", e);
    }
    int generation = message.getGeneration();
    return switch (message.getKindCase()) {
      case GENERATION_START ->
          new LogRecord.GenerationStart(
              new Generation(generation, message.getGenerationStart().getHistory()));
      case SNAPSHOT_ROWS ->
          new LogRecord.SnapshotRows(
              generation,
              new Lsn(message.getSnapshotRows().getLsn()),
              changes(message.getSnapshotRows().getRows()));
      case SNAPSHOT_COMPLETE ->
          new LogRecord.SnapshotComplete(
              generation,
              new Lsn(message.getSnapshotComplete().getLsn()),
              message.getSnapshotComplete().getRoutesMap());
      case TRANSACTION_PART -> {
        TransactionPartMessage part = message.getTransactionPart();
        yield new LogRecord.TransactionPart(
            generation,
            part.getRun(),
            new Lsn(part.getAfter()),
            Integer.toUnsignedLong(part.getXid()),
            part.getPart(),
            part.getCommitLsn() == 0 ? Optional.empty() : Optional.of(new Lsn(part.getCommitLsn())),
            instant(part.getCommitMicros()),
            changes(part.getRows()));
      }
      case PROGRESS ->
          new LogRecord.Progress(
              generation,
              new Lsn(message.getProgress().getAfter()),
              new Lsn(message.getProgress().getLsn()),
              instant(message.getProgress().getSourceMicros()));
      case KIND_NOT_SET ->
          throw new LogFormatException(
              "the record is of a kind that this version does not know: upgrade the projector before capture");
    };
  }

  private static RowsMessage rows(List<Change> changes) {
    RowsMessage.Builder rows = RowsMessage.newBuilder();
    Map<Relation, Integer> indexes = new LinkedHashMap<>();
    for (Change change : changes) {
      Integer index = indexes.get(change.relation());
      if (index == null) {
        index = indexes.size();
        indexes.put(change.relation(), index);
        rows.addRelations(relation(change.relation()));
      }
      ChangeMessage.Builder message =
          ChangeMessage.newBuilder()
              .setOperation(operation(change.operation()))
              .setRelation(index)
              .setLsn(change.lsn().value())
              .setOrder(change.order())
              .setTableOrder(change.tableOrder());
      if (change.before() != null) {
        message.setBefore(tuple(change.before()));
      }
      if (change.after() != null) {
        message.setAfter(tuple(change.after()));
      }
      rows.addChanges(message);
    }
    return rows.build();
  }

  private static RelationMessage relation(Relation relation) {
    return RelationMessage.newBuilder()
        .setSchema(relation.table().schema())
        .setTable(relation.table().name())
        .addAllColumns(relation.columns())
        .addAllTypes(relation.types())
        .addAllKey(relation.key())
        .build();
  }

  private static TupleMessage tuple(Tuple tuple) {
    TupleMessage.Builder message = TupleMessage.newBuilder();
    byte[] kinds = new byte[tuple.size()];
    for (int i = 0; i < kinds.length; i++) {
      if (tuple.unchanged(i)) {
        kinds[i] = UNCHANGED;
        continue;
      }
      String text = tuple.text(i);
      if (text == null) {
        kinds[i] = NULL;
      } else {
        kinds[i] = TEXT;
        message.addTexts(text);
      }
    }
    return message.setKinds(ByteString.copyFrom(kinds)).build();
  }

  private static List<Change> changes(RowsMessage rows) {
    List<Relation> relations = new ArrayList<>(rows.getRelationsCount());
    for (RelationMessage relation : rows.getRelationsList()) {
      relations.add(
          new Relation(
              new TableName(relation.getSchema(), relation.getTable()),
              relation.getColumnsList(),
              relation.getTypesList(),
              relation.getKeyList()));
    }
    List<Change> changes = new ArrayList<>(rows.getChangesCount());
    for (ChangeMessage change : rows.getChangesList()) {
      changes.add(
          new Change(
              operation(change.getOperation()),
              relations.get(change.getRelation()),
              change.hasBefore() ? tuple(change.getBefore()) : null,
              change.hasAfter() ? tuple(change.getAfter()) : null,
              new Lsn(change.getLsn()),
              change.getOrder(),
              change.getTableOrder()));
    }
    return changes;
  }

  private static Tuple tuple(TupleMessage message) {
    ByteString kinds = message.getKinds();
    @Nullable String[] columns = new @Nullable String[kinds.size()];
    int text = 0;
    for (int i = 0; i < columns.length; i++) {
      columns[i] =
          switch (kinds.byteAt(i)) {
            case NULL -> null;
            case TEXT -> message.getTexts(text++);
            case UNCHANGED -> Tuple.UNCHANGED;
            default ->
                throw new LogFormatException("a column is of unknown kind " + kinds.byteAt(i));
          };
    }
    return Tuple.of(columns);
  }

  private static OperationMessage operation(Operation operation) {
    return switch (operation) {
      case SNAPSHOT -> OperationMessage.SNAPSHOT;
      case INSERT -> OperationMessage.INSERT;
      case UPDATE -> OperationMessage.UPDATE;
      case DELETE -> OperationMessage.DELETE;
      case TRUNCATE -> OperationMessage.TRUNCATE;
    };
  }

  private static Operation operation(OperationMessage operation) {
    return switch (operation) {
      case SNAPSHOT -> Operation.SNAPSHOT;
      case INSERT -> Operation.INSERT;
      case UPDATE -> Operation.UPDATE;
      case DELETE -> Operation.DELETE;
      case TRUNCATE -> Operation.TRUNCATE;
      case OPERATION_UNSPECIFIED, UNRECOGNIZED ->
          throw new LogFormatException(
              "a change is of an operation that this version does not know");
    };
  }

  private static long micros(Instant instant) {
    return ChronoUnit.MICROS.between(Instant.EPOCH, instant);
  }

  private static Instant instant(long micros) {
    return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
  }
}
