package dev.tidemark.topics.yaml;

/**
 * One thing that is wrong with a file.
 *
 * @param file the name the file was given under
 * @param line the line, from 1
 * @param message what was found, what is allowed, and what to do
 */
public record Problem(String file, int line, String message) {

  /** {@code file:line: message}, which editors and terminals turn into a link. */
  @Override
  public String toString() {
    return file + ":" + line + ": " + message;
  }
}
