package dev.tidemark.topics;

/**
 * The application names of sessions, by which one service tells of another in {@code
 * pg_stat_activity}.
 */
public final class Sessions {

  private static final int MOST_CHARACTERS = 63;

  private Sessions() {}

  /**
   * The session that capture holds on the source while it reads the slot.
   *
   * @param instance the process; empty for the beginning that all instances of the pipeline share
   * @return at most 63 characters, beyond which PostgreSQL cuts
   */
  public static String capture(String pipeline, String instance) {
    String name = "tidemark-capture " + pipeline + " " + instance;
    return name.length() <= MOST_CHARACTERS ? name : name.substring(0, MOST_CHARACTERS);
  }
}
