package dev.tidemark.standalone.demo;

import dev.tidemark.standalone.client.Answer;

/** A step of the scene that was not as promised. */
public final class BrokenPromiseException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private BrokenPromiseException(String message) {
    super(message);
  }

  static void unless(boolean kept, String promise, Answer answer) {
    if (!kept) {
      throw new BrokenPromiseException(
          "not as promised: \""
              + promise
              + "\"; the answer was "
              + answer.status()
              + " "
              + answer.body());
    }
  }
}
