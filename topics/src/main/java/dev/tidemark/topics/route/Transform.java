package dev.tidemark.topics.route;

/** What is done with a value on its way into a replica column. */
public enum Transform {
  /** The value as it is. */
  NONE,
  /**
   * The number of elements of a JSON or SQL array, of keys of a JSON object, or of characters of a
   * text.
   */
  LENGTH
}
