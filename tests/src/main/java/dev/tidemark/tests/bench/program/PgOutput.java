package dev.tidemark.tests.bench.program;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * As much of the pgoutput protocol, version 1, as the rows of one table need (PostgreSQL's manual,
 * "Logical Replication Message Formats"). Not thread-safe.
 */
final class PgOutput {

  private final String table;
  private final Map<Integer, List<String>> columns = new HashMap<>();

  PgOutput(String table) {
    this.table = table;
  }

  /** The new row of an insert or an update: texts by column; NULL and unchanged ones are absent. */
  record Row(Map<String, String> texts) {

    @Nullable String text(String column) {
      return texts.get(column);
    }
  }

  /** The row that a message brings; null when it brings none of the table. */
  @Nullable Row decode(byte[] message) {
    ByteBuffer in = ByteBuffer.wrap(message);
    return switch ((char) in.get()) {
      case 'R' -> {
        relation(in);
        yield null;
      }
      case 'I' -> {
        List<String> names = columns.get(in.getInt());
        in.get();
        yield names == null ? null : row(names, in);
      }
      case 'U' -> {
        List<String> names = columns.get(in.getInt());
        if (names == null) {
          yield null;
        }
        if ((char) in.get() != 'N') {
          row(names, in);
          in.get();
        }
        yield row(names, in);
      }
      default -> null;
    };
  }

  private void relation(ByteBuffer in) {
    int id = in.getInt();
    text(in);
    String name = text(in);
    in.get();
    int count = in.getShort();
    List<String> names = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      in.get();
      names.add(text(in));
      in.getInt();
      in.getInt();
    }
    if (name.equals(table)) {
      columns.put(id, names);
    }
  }

  private static Row row(List<String> names, ByteBuffer in) {
    int count = in.getShort();
    Map<String, String> texts = new HashMap<>();
    for (int i = 0; i < count; i++) {
      if ((char) in.get() == 't') {
        byte[] bytes = new byte[in.getInt()];
        in.get(bytes);
        texts.put(names.get(i), new String(bytes, StandardCharsets.UTF_8));
      }
    }
    return new Row(texts);
  }

  private static String text(ByteBuffer in) {
    int begin = in.position();
    while (in.get() != 0) {
      // up to the zero at its end
    }
    return new String(in.array(), begin, in.position() - 1 - begin, StandardCharsets.UTF_8);
  }
}
