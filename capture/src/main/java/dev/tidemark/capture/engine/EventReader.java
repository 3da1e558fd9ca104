package dev.tidemark.capture.engine;

import dev.tidemark.capture.assemble.SourceEvent;
import dev.tidemark.capture.assemble.UnusableChangeException;
import dev.tidemark.topics.Lsn;
import dev.tidemark.topics.log.Change;
import dev.tidemark.topics.log.Change.Operation;
import dev.tidemark.topics.log.Relation;
import dev.tidemark.topics.log.Tuple;
import dev.tidemark.topics.route.TableName;
import io.debezium.data.Envelope;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;
import org.jspecify.annotations.Nullable;

/**
 * What the engine's records mean. Not thread-safe; one for each run of the engine.
 *
 * <p>Debezium 3.6.1 delivers an update that changes the primary key as a delete and an insert, told
 * by two headers; here it is an update again.
 */
final class EventReader {

  private static final String NEW_KEY_HEADER = "__debezium.newkey";
  private static final String OLD_KEY_HEADER = "__debezium.oldkey";

  private final String transactionTopic;
  private final String messageTopic;
  private final Set<TableName> captured;

  /** By the schema of the records' values. */
  private final Map<Schema, Relation> relations = new IdentityHashMap<>();

  private @Nullable Tuple movedFrom;
  private long order;
  private final Map<TableName, Long> tableOrders = new HashMap<>();

  EventReader(String topicPrefix, Set<TableName> captured) {
    this.transactionTopic = topicPrefix + ".transaction";
    this.messageTopic = topicPrefix + ".message";
    this.captured = Set.copyOf(captured);
  }

  /** The event that a record stands for; empty for what has no meaning for the log. */
  Optional<SourceEvent> read(SourceRecord sourceRecord) {
    if (!(sourceRecord.value() instanceof Struct value)) {
      return Optional.empty();
    }
    if (sourceRecord.topic().equals(transactionTopic)) {
      return Optional.of(boundary(sourceRecord, value));
    }
    if (sourceRecord.topic().equals(messageTopic)) {
      return mark(sourceRecord, value);
    }
    return row(sourceRecord, value);
  }

  private SourceEvent boundary(SourceRecord sourceRecord, Struct value) {
    String id = value.getString("id");
    long xid = Long.parseLong(id.substring(0, id.indexOf(':')));
    Instant time = commitTime(sourceRecord);
    if (value.getString("status").equals("BEGIN")) {
      order = 0;
      tableOrders.clear();
      movedFrom = null;
      return new SourceEvent.Begin(xid, time);
    }
    return new SourceEvent.Commit(new Lsn(offset(sourceRecord, "lsn_commit")), time);
  }

  private static Optional<SourceEvent> mark(SourceRecord sourceRecord, Struct value) {
    Struct source = value.getStruct(Envelope.FieldName.SOURCE);
    if (source.get("txId") != null) {
      return Optional.empty();
    }
    // The message's own ts_ms is that of an earlier transaction (3.6.1), so the time of its arrival
    // stands in.
    return Optional.of(new SourceEvent.Mark(new Lsn(offset(sourceRecord, "lsn")), Instant.now()));
  }

  private Optional<SourceEvent> row(SourceRecord sourceRecord, Struct value) {
    Relation relation = relations.get(sourceRecord.valueSchema());
    if (relation == null) {
      Struct source = value.getStruct(Envelope.FieldName.SOURCE);
      TableName table = new TableName(source.getString("schema"), source.getString("table"));
      if (!captured.contains(table)) {
        return Optional.empty();
      }
      relation = relation(table, sourceRecord, value);
    }
    TableName table = relation.table();
    Lsn lsn = new Lsn(offset(sourceRecord, "lsn"));
    Tuple before = tuple(value.getStruct(Envelope.FieldName.BEFORE));
    Tuple after = tuple(value.getStruct(Envelope.FieldName.AFTER));
    Operation operation =
        switch (Envelope.Operation.forCode(value.getString(Envelope.FieldName.OPERATION))) {
          case READ -> Operation.SNAPSHOT;
          case CREATE -> Operation.INSERT;
          case UPDATE -> Operation.UPDATE;
          case DELETE -> Operation.DELETE;
          case TRUNCATE -> Operation.TRUNCATE;
          case MESSAGE ->
              throw new IllegalStateException("a message came on the topic of " + table);
        };
    if (operation == Operation.SNAPSHOT) {
      return Optional.of(
          new SourceEvent.SnapshotRow(
              new Change(operation, relation, null, after, lsn, ++order, tableOrder(table))));
    }
    if (operation == Operation.DELETE
        && sourceRecord.headers().lastWithName(NEW_KEY_HEADER) != null) {
      movedFrom = before;
      return Optional.empty();
    }
    if (operation == Operation.INSERT
        && sourceRecord.headers().lastWithName(OLD_KEY_HEADER) != null) {
      operation = Operation.UPDATE;
      before =
          Objects.requireNonNull(movedFrom, "the old row of an update of the key came before it");
      movedFrom = null;
    }
    if (before != null && after != null) {
      after = after.completedFrom(before);
    }
    requireKey(relation, after);
    return Optional.of(
        new SourceEvent.Row(
            new Change(operation, relation, before, after, lsn, ++order, tableOrder(table))));
  }

  private long tableOrder(TableName table) {
    return tableOrders.merge(table, 1L, Long::sum);
  }

  private static void requireKey(Relation relation, @Nullable Tuple after) {
    if (after == null) {
      return;
    }
    for (int column : relation.key()) {
      if (after.unchanged(column)) {
        throw new UnusableChangeException(
            "a change of "
                + relation.table()
                + " came without its key column "
                + relation.columns().get(column)
                + ". Run alter table "
                + relation.table().sql()
                + " replica identity full");
      }
    }
  }

  private Relation relation(TableName table, SourceRecord sourceRecord, Struct value) {
    Schema rows = value.schema().field(Envelope.FieldName.AFTER).schema();
    List<String> columns = new ArrayList<>();
    List<String> types = new ArrayList<>();
    for (Field field : rows.fields()) {
      columns.add(field.name());
      types.add(field.schema().parameters().get(TextConverter.TYPE_PARAMETER));
    }
    List<Integer> key =
        sourceRecord.keySchema() == null
            ? List.of()
            : sourceRecord.keySchema().fields().stream()
                .map(field -> columns.indexOf(field.name()))
                .toList();
    Relation relation = new Relation(table, columns, types, key);
    // A truncation has no key; the relation that it would leave behind must not serve rows.
    if (sourceRecord.keySchema() != null) {
      relations.put(sourceRecord.valueSchema(), relation);
    }
    return relation;
  }

  private static @Nullable Tuple tuple(@Nullable Struct struct) {
    if (struct == null) {
      return null;
    }
    List<Field> fields = struct.schema().fields();
    @Nullable String[] columns = new @Nullable String[fields.size()];
    for (int i = 0; i < columns.length; i++) {
      // Not get(): it answers null with the schema's default.
      columns[i] = (String) struct.getWithoutDefault(fields.get(i).name());
    }
    return Tuple.of(columns);
  }

  private static Instant commitTime(SourceRecord sourceRecord) {
    return Instant.EPOCH.plus(offset(sourceRecord, "ts_usec"), ChronoUnit.MICROS);
  }

  private static long offset(SourceRecord sourceRecord, String key) {
    if (sourceRecord.sourceOffset().get(key) instanceof Long number) {
      return number;
    }
    throw new IllegalStateException("the engine's record has no " + key + " in its offset");
  }
}
