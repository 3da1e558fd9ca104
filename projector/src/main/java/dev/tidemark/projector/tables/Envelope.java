package dev.tidemark.projector.tables;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.tidemark.topics.Lsn;
import dev.tidemark.topics.log.Change;
import dev.tidemark.topics.log.Relation;
import dev.tidemark.topics.log.Tuple;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Keys and values of table topics: Debezium's envelope as its JSON converter writes it without
 * schemas. A column that an update left out since it did not change is absent from {@code after}.
 */
public final class Envelope {

  private static final JsonFactory FACTORY = new JsonFactory();

  /** The transaction that changes belong to; for a snapshot without {@code xid}. */
  public record Origin(String pipeline, @Nullable Long xid, Lsn commitLsn, Instant commitTime) {}

  private Envelope() {}

  /** The row's primary key; null for a table without one and for a truncation. */
  static byte @Nullable [] key(Relation relation, @Nullable Tuple row) {
    if (row == null || relation.key().isEmpty()) {
      return null;
    }
    return json(
        out -> {
          out.writeStartObject();
          for (int column : relation.key()) {
            out.writeFieldName(relation.columns().get(column));
            JsonColumn.write(out, relation.types().get(column), row.text(column));
          }
          out.writeEndObject();
        });
  }

  /** The envelope. {@code operation} is Debezium's letter: c, u, d, r or t. */
  public static byte[] value(
      String operation,
      Change change,
      @Nullable Tuple before,
      @Nullable Tuple after,
      Origin origin) {
    Relation relation = change.relation();
    return json(
        out -> {
          out.writeStartObject();
          row(out, "before", relation, before);
          row(out, "after", relation, after);
          source(out, change, origin);
          out.writeStringField("op", operation);
          out.writeNumberField("ts_ms", System.currentTimeMillis());
          transaction(out, change, origin);
          out.writeEndObject();
        });
  }

  private static void row(JsonGenerator out, String field, Relation relation, @Nullable Tuple row)
      throws IOException {
    out.writeFieldName(field);
    if (row == null) {
      out.writeNull();
      return;
    }
    out.writeStartObject();
    for (int i = 0; i < relation.columns().size(); i++) {
      if (!row.unchanged(i)) {
        out.writeFieldName(relation.columns().get(i));
        JsonColumn.write(out, relation.types().get(i), row.text(i));
      }
    }
    out.writeEndObject();
  }

  private static void source(JsonGenerator out, Change change, Origin origin) throws IOException {
    out.writeObjectFieldStart("source");
    out.writeStringField("connector", "postgresql");
    out.writeStringField("name", origin.pipeline());
    out.writeNumberField("ts_ms", origin.commitTime().toEpochMilli());
    out.writeStringField("snapshot", Boolean.toString(origin.xid() == null));
    out.writeStringField("schema", change.relation().table().schema());
    out.writeStringField("table", change.relation().table().name());
    if (origin.xid() == null) {
      out.writeNullField("txId");
    } else {
      out.writeNumberField("txId", origin.xid());
    }
    out.writeFieldName("lsn");
    out.writeNumber(Long.toUnsignedString(change.lsn().value()));
    out.writeEndObject();
  }

  private static void transaction(JsonGenerator out, Change change, Origin origin)
      throws IOException {
    if (origin.xid() == null) {
      out.writeNullField("transaction");
      return;
    }
    out.writeObjectFieldStart("transaction");
    out.writeStringField(
        "id", origin.xid() + ":" + Long.toUnsignedString(origin.commitLsn().value()));
    out.writeNumberField("total_order", change.order());
    out.writeNumberField("data_collection_order", change.tableOrder());
    out.writeEndObject();
  }

  private interface Body {
    void write(JsonGenerator out) throws IOException;
  }

  private static byte[] json(Body body) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(512);
    try (JsonGenerator out = FACTORY.createGenerator(bytes)) {
      body.write(out);
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory does not fail", e);
    }
    return bytes.toByteArray();
  }
}
