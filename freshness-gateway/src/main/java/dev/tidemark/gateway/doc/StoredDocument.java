package dev.tidemark.gateway.doc;

/**
 * A document as the source holds it.
 *
 * @param json the document
 * @param version 1 for a new document, and one more with every write
 * @param createdMicros when it was created, in microseconds of the Unix epoch
 */
public record StoredDocument(String json, long version, long createdMicros) {

  /**
   * The strong entity tag. It holds the time of creation beside the version, so that a document
   * that was deleted and created again never has a tag of its former life.
   */
  public String etag() {
    return "\"" + version + "-" + Long.toString(createdMicros, 36) + "\"";
  }
}
