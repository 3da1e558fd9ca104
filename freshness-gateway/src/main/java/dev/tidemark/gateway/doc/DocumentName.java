package dev.tidemark.gateway.doc;

import dev.tidemark.gateway.problem.Problem;
import dev.tidemark.gateway.problem.ProblemKind;

/**
 * Which document.
 *
 * @param doctype its type, 1 to 200 characters
 * @param name its name within the type, 1 to 500 characters
 */
public record DocumentName(String doctype, String name) {

  private static final int MAX_TYPE = 200;
  private static final int MAX_NAME = 500;

  /**
   * Checks both.
   *
   * @throws dev.tidemark.gateway.problem.ProblemException 400 when one is not allowed
   */
  public DocumentName {
    check("type", doctype, MAX_TYPE);
    check("name", name, MAX_NAME);
  }

  private static void check(String what, String text, int max) {
    if (text.isBlank() || text.length() > max) {
      throw bad(what, "must have 1 to " + max + " characters, not all of them blank");
    }
    if (text.equals(".") || text.equals("..")) {
      throw bad(what, "must not be one or two dots, which clients take out of paths");
    }
    if (text.codePoints().anyMatch(Character::isISOControl)) {
      throw bad(what, "must not hold control characters");
    }
    // What the path's decoding puts where bytes were no UTF-8.
    if (text.indexOf('\uFFFD') >= 0) {
      throw bad(what, "must be percent-encoded UTF-8");
    }
  }

  private static RuntimeException bad(String what, String rule) {
    return Problem.of(ProblemKind.BAD_NAME, "A document's " + what + " " + rule + ".").exception();
  }
}
