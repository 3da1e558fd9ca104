package dev.tidemark.gateway.replica;

import dev.tidemark.gateway.problem.Problem;
import dev.tidemark.gateway.problem.ProblemKind;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/**
 * Where a page of rows ended: the key of its last row. Opaque to clients, and worth nothing to
 * another tenant, since the next page is read under the caller's own row-level security.
 *
 * @param target the replica table that it belongs to
 * @param key the key's values as PostgreSQL's text, in the order of the key
 */
public record Cursor(String target, List<String> key) {

  private static final int VERSION = 1;
  private static final int MAX_COLUMNS = 32;

  public Cursor {
    key = List.copyOf(key);
  }

  /** The text form: URL-safe. */
  public String text() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeByte(VERSION);
      out.writeByte(key.size());
      write(out, target);
      for (String value : key) {
        write(out, value);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory does not fail", e);
    }
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.toByteArray());
  }

  /**
   * Reads a cursor for a table.
   *
   * @param columns how many columns the table's key has
   * @throws dev.tidemark.gateway.problem.ProblemException 400 when it is no cursor of this table
   */
  public static Cursor parse(String text, String target, int columns) {
    try (DataInputStream in =
        new DataInputStream(new ByteArrayInputStream(Base64.getUrlDecoder().decode(text)))) {
      int version = in.readUnsignedByte();
      int size = in.readUnsignedByte();
      if (version == VERSION && size == columns && size <= MAX_COLUMNS) {
        String of = read(in);
        List<String> key = new ArrayList<>();
        for (int i = 0; i < size; i++) {
          key.add(read(in));
        }
        if (of.equals(target) && in.available() == 0) {
          return new Cursor(of, key);
        }
      }
    } catch (IOException | IllegalArgumentException e) {
      throw bad();
    }
    throw bad();
  }

  private static RuntimeException bad() {
    return Problem.of(
            ProblemKind.BAD_PARAMETER,
            "The cursor is none that this table has handed out. Send the value of \"next\" as it"
                + " was, to the same path; or begin without a cursor.")
        .exception();
  }

  private static void write(DataOutputStream out, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  private static String read(DataInputStream in) throws IOException {
    int length = in.readInt();
    if (length < 0 || length > in.available()) {
      throw new IOException("a length beyond the end");
    }
    String text = new String(in.readNBytes(length), StandardCharsets.UTF_8);
    if (text.indexOf('\0') >= 0) {
      throw new IOException("no text of PostgreSQL");
    }
    return text;
  }
}
