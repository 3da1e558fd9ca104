package dev.tidemark.tests.prove.history;

/**
 * A row as a reader sees it.
 *
 * @param id its key within the tenant
 * @param version the number of the write that wrote it
 * @param owner the tenant, as the row itself carries it
 * @param note any text; long ones take PostgreSQL's way for large values
 */
public record Row(String id, long version, String owner, String note) {

  private static final int SHOWN = 24;

  /** One line; a long note by its length and hash. */
  String text() {
    String shown =
        note.length() <= SHOWN ? note : note.length() + "#" + Integer.toHexString(note.hashCode());
    return id + " v" + version + " of " + owner + " (" + shown + ")";
  }
}
